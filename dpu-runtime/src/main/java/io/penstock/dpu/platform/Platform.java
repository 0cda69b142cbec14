package io.penstock.dpu.platform;

import java.util.Optional;

/**
 * The machine, whatever share of it this process may use.
 *
 * @param arch as the JVM names it: {@code amd64}, {@code aarch64}
 * @param kernel the release, {@code 6.8.0-45-generic}
 * @param online processors that are switched on
 * @param cpuModel the name of the core, {@code Cortex-A78AE}
 * @param model what the vendor calls the machine or board
 * @param blueField present on the DPU itself, not on a host that has one in a slot
 * @param release the software bundle of a BlueField, {@code bf-bundle-2.9.1-...}
 * @param memory bytes of RAM, 0 if unknown
 */
public record Platform(
    String arch,
    String kernel,
    CpuSet online,
    String cpuModel,
    String model,
    Optional<BlueField> blueField,
    Optional<String> release,
    long memory) {}
