package io.penstock.dpu.platform;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** A folder that looks like the root of a machine. */
public final class FakeMachine {
  private final Path root;

  public FakeMachine(Path root) {
    this.root = root;
  }

  public Path root() {
    return root;
  }

  public FakeMachine put(String path, String text) {
    return put(path, text.getBytes(StandardCharsets.UTF_8));
  }

  public FakeMachine put(String path, byte[] bytes) {
    Path file = root.resolve(path.substring(1));
    try {
      Files.createDirectories(file.getParent());
      Files.write(file, bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return this;
  }

  public FakeMachine directory(String path) {
    try {
      Files.createDirectories(root.resolve(path.substring(1)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return this;
  }

  /** An ordinary x86 server. */
  FakeMachine server() {
    return put("/proc/sys/kernel/osrelease", "6.8.0-45-generic\n")
        .put("/sys/devices/system/cpu/online", "0-31\n")
        .put("/proc/cpuinfo", "processor\t: 0\nmodel name\t: Intel(R) Xeon(R) Gold 6338\n\n")
        .put("/sys/class/dmi/id/product_name", "PowerEdge R750\n")
        .put("/proc/meminfo", "MemTotal:       263850324 kB\nMemFree:        1024 kB\n")
        .put("/proc/self/status", "Name:\tjava\nCpus_allowed_list:\t0-31\n");
  }

  /** The Arm side of a BlueField-2, which does not name its generation in DMI. */
  FakeMachine blueField2() {
    return put("/proc/sys/kernel/osrelease", "5.15.0-1065-bluefield\n")
        .put("/sys/devices/system/cpu/online", "0-7\n")
        .put("/proc/cpuinfo", "processor\t: 0\nCPU implementer\t: 0x41\nCPU part\t: 0xd08\n")
        .put("/sys/class/dmi/id/product_name", "BlueField SoC\n")
        .put("/sys/class/dmi/id/product_family", "BlueField\n")
        .put("/proc/meminfo", "MemTotal:       16331212 kB\n")
        .put("/etc/mlnx-release", "DOCA_2.2.0_BSP_4.2.0_Ubuntu_22.04-1.23-07\n")
        .directory("/sys/bus/platform/devices/MLNXBF22:00")
        .directory("/sys/bus/platform/devices/serial8250");
  }

  /** The Arm side of a BlueField-3. */
  FakeMachine blueField3() {
    return put("/proc/sys/kernel/osrelease", "5.15.0-1060-bluefield\n")
        .put("/sys/devices/system/cpu/online", "0-15\n")
        .put("/proc/cpuinfo", "processor\t: 0\nCPU implementer\t: 0x41\nCPU part\t: 0xd42\n")
        .put("/sys/class/dmi/id/product_name", "BlueField-3 SmartNIC Main Card\n")
        .put("/proc/meminfo", "MemTotal:       32671936 kB\n")
        .put("/etc/mlnx-release", "bf-bundle-2.9.1-30_24.11_ubuntu-22.04_prod\n");
  }
}
