package io.penstock.dpu.platform;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Looks at the machine. Never throws: what no file tells is {@code unknown}, or taken from the JVM.
 *
 * <p>Threading: immutable.
 */
public final class PlatformProbe {
  private static final String UNKNOWN = "unknown";
  private static final String CPUINFO = "/proc/cpuinfo";

  // Arm's "CPU part" numbers of cores found in servers and DPUs
  private static final Map<String, String> ARM_CORES =
      Map.of(
          "0xd08", "Cortex-A72",
          "0xd0c", "Neoverse-N1",
          "0xd40", "Neoverse-V1",
          "0xd41", "Cortex-A78",
          "0xd42", "Cortex-A78AE",
          "0xd49", "Neoverse-N2",
          "0xd4f", "Neoverse-V2");

  private final MachineFiles files;
  private final String arch;
  private final int jvmProcessors;

  /**
   * A probe of the machine at {@code root}.
   *
   * @param root {@code /}, or a folder that looks like it
   * @param arch the system property {@code os.arch}
   * @param jvmProcessors what to count if the kernel does not say
   */
  public PlatformProbe(Path root, String arch, int jvmProcessors) {
    this.files = new MachineFiles(root);
    this.arch = arch;
    this.jvmProcessors = jvmProcessors;
  }

  /** The machine this JVM runs on. */
  public static PlatformProbe here() {
    return new PlatformProbe(
        Path.of("/"), System.getProperty("os.arch"), Runtime.getRuntime().availableProcessors());
  }

  public Platform read() {
    BlueFieldDetector detector = new BlueFieldDetector(files);
    boolean arm = arch.equals("aarch64") || arch.equals("arm64");
    Optional<BlueField> blueField = arm ? detector.detect() : Optional.empty();
    return new Platform(
        arch,
        files.text("/proc/sys/kernel/osrelease").orElse(UNKNOWN),
        files
            .text("/sys/devices/system/cpu/online")
            .flatMap(CpuSet::parse)
            .orElse(CpuSet.first(jvmProcessors)),
        cpuModel(),
        model(),
        blueField,
        blueField.flatMap(_ -> detector.release()),
        memory());
  }

  /**
   * Processors this process may be scheduled on, {@code taskset} and cpuset cgroups included; empty
   * if the kernel does not say.
   */
  public Optional<CpuSet> affinity() {
    return files.field("/proc/self/status", "Cpus_allowed_list").flatMap(CpuSet::parse);
  }

  private String cpuModel() {
    return files
        .field(CPUINFO, "model name")
        .or(() -> files.field(CPUINFO, "CPU part").map(part -> ARM_CORES.getOrDefault(part, part)))
        .orElse(UNKNOWN);
  }

  private String model() {
    return files
        .text("/sys/class/dmi/id/product_name")
        .or(() -> files.text("/proc/device-tree/model"))
        .orElse(UNKNOWN);
  }

  private long memory() {
    OptionalLong kib =
        files
            .field("/proc/meminfo", "MemTotal")
            .filter(value -> value.endsWith(" kB"))
            .map(value -> MachineFiles.parse(value.substring(0, value.length() - 3)))
            .orElse(OptionalLong.empty());
    return kib.isPresent() ? kib.getAsLong() * 1024 : 0;
  }
}
