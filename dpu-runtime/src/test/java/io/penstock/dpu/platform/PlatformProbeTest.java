package io.penstock.dpu.platform;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PlatformProbeTest {
  @TempDir Path root;
  private FakeMachine machine;

  @BeforeEach
  void emptyMachine() {
    machine = new FakeMachine(root);
  }

  private Platform read(String arch) {
    return new PlatformProbe(root, arch, 3).read();
  }

  @Test
  void anOrdinaryServer() {
    machine.server();
    assertThat(read("amd64"))
        .isEqualTo(
            new Platform(
                "amd64",
                "6.8.0-45-generic",
                CpuSet.first(32),
                "Intel(R) Xeon(R) Gold 6338",
                "PowerEdge R750",
                Optional.empty(),
                Optional.empty(),
                263850324L * 1024));
    assertThat(new PlatformProbe(root, "amd64", 3).affinity()).contains(CpuSet.first(32));
  }

  @Test
  void aBlueField2IsToldByItsAcpiDevice() {
    machine.blueField2();
    Platform platform = read("aarch64");
    assertThat(platform.blueField()).contains(BlueField.BLUEFIELD_2);
    assertThat(platform.release()).contains("DOCA_2.2.0_BSP_4.2.0_Ubuntu_22.04-1.23-07");
    assertThat(platform.cpuModel()).isEqualTo("Cortex-A72");
    assertThat(platform.online().size()).isEqualTo(8);
  }

  @Test
  void aBlueField3IsToldByItsName() {
    machine.blueField3();
    Platform platform = read("aarch64");
    assertThat(platform.blueField()).contains(BlueField.BLUEFIELD_3);
    assertThat(platform.cpuModel()).isEqualTo("Cortex-A78AE");
    assertThat(platform.model()).isEqualTo("BlueField-3 SmartNIC Main Card");
  }

  @Test
  void aGenerationThatOnlyTheCardTells() {
    machine
        .put("/sys/class/dmi/id/product_name", "BlueField SoC\n")
        .put("/sys/bus/pci/devices/0000:03:00.0/vendor", "0x15b3\n")
        .put("/sys/bus/pci/devices/0000:03:00.0/device", "0xa2d6\n");
    assertThat(read("aarch64").blueField()).contains(BlueField.BLUEFIELD_2);
  }

  @Test
  void inAContainerOnlyTheKernelsFilesAreLeft() {
    machine
        .directory("/sys/bus/platform/devices/MLNXBF33:00")
        .put("/proc/cpuinfo", "CPU part\t: 0xd42\n");
    assertThat(read("aarch64").blueField()).contains(BlueField.BLUEFIELD_3);
  }

  @Test
  void theDeviceTreeNamesOneToo() {
    machine.put("/proc/device-tree/model", "Mellanox BlueField-2 board\0");
    Platform platform = read("aarch64");
    assertThat(platform.blueField()).contains(BlueField.BLUEFIELD_2);
    assertThat(platform.model()).isEqualTo("Mellanox BlueField-2 board");
  }

  @Test
  void aBlueFieldThatDoesNotSayWhich() {
    machine.put("/sys/class/dmi/id/product_name", "BlueField SoC\n");
    assertThat(read("aarch64").blueField()).contains(BlueField.UNKNOWN_GENERATION);
  }

  @Test
  void anArmHostWithABlueFieldInASlotIsNoBlueField() {
    machine
        .put("/sys/class/dmi/id/product_name", "Grace CPU Superchip\n")
        .put("/proc/cpuinfo", "CPU part\t: 0xd4f\n")
        .put("/etc/mlnx-release", "MLNX_OFED_LINUX-24.10\n")
        .put("/sys/bus/pci/devices/0000:03:00.0/vendor", "0x15b3\n")
        .put("/sys/bus/pci/devices/0000:03:00.0/device", "0xa2dc\n");
    Platform platform = read("aarch64");
    assertThat(platform.blueField()).isEmpty();
    assertThat(platform.release()).isEmpty();
    assertThat(platform.cpuModel()).isEqualTo("Neoverse-V2");
  }

  @Test
  void anX86HostIsNeverABlueField() {
    machine.blueField3();
    assertThat(read("amd64").blueField()).isEmpty();
  }

  @Test
  void anEmptyRootIsUnknownButUsable() {
    assertThat(read("riscv64"))
        .isEqualTo(
            new Platform(
                "riscv64",
                "unknown",
                CpuSet.first(3),
                "unknown",
                "unknown",
                Optional.empty(),
                Optional.empty(),
                0));
    assertThat(new PlatformProbe(root, "riscv64", 3).affinity()).isEmpty();
  }

  @Test
  void nonsenseIsTakenForUnknown() throws Exception {
    machine
        .put("/proc/sys/kernel/osrelease", "")
        .put("/sys/devices/system/cpu/online", "0-,,x\n")
        .put("/proc/cpuinfo", new byte[] {(byte) 0xff, (byte) 0xfe, 0, 1, ':', ':'})
        .put("/proc/meminfo", "MemTotal: lots kB\n")
        .put("/proc/self/status", "Cpus_allowed_list:\t9-1\n")
        .directory("/sys/class/dmi/id/product_name")
        .put("/sys/bus/platform/devices", "a file where a folder should be");
    Files.createDirectories(root.resolve("sys/bus/pci/devices/0000:00:00.0"));
    Platform platform = read("aarch64");
    assertThat(platform.kernel()).isEqualTo("unknown");
    assertThat(platform.online()).isEqualTo(CpuSet.first(3));
    assertThat(platform.memory()).isZero();
    assertThat(platform.model()).isEqualTo("unknown");
    assertThat(platform.blueField()).isEmpty();
  }

  @Test
  void thisMachine() {
    Platform platform = PlatformProbe.here().read();
    assertThat(platform.kernel()).isNotEqualTo("unknown");
    assertThat(platform.online().size())
        .isGreaterThanOrEqualTo(Runtime.getRuntime().availableProcessors());
    assertThat(platform.memory()).isGreaterThan(1 << 28);
    assertThat(PlatformProbe.here().affinity()).isPresent();
  }
}
