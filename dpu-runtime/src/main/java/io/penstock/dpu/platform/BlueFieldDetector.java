package io.penstock.dpu.platform;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Tells whether this is the Arm side of a BlueField, and of which generation.
 *
 * <p>That it is one: the firmware says so (DMI names, device tree), an ACPI device that only the
 * SoC has, or the bundle file of its own operating system. A network card of the family proves
 * nothing, because hosts have those too, Arm hosts included; once the machine is known to be a
 * BlueField, the card's PCI identity tells the generation. BlueField-2 calls itself just "BlueField
 * SoC" in DMI, BlueField-3 puts the number into its name. ACPI identities are those of the kernel's
 * GPIO and pin drivers (gpio-mlxbf, gpio-mlxbf2, gpio-mlxbf3, pinctrl-mlxbf3); PCI identities those
 * of pci.ids (15b3:a2d2, a2d6, a2dc); core numbers those of Arm's main identity register.
 *
 * <p>Threading: immutable.
 */
final class BlueFieldDetector {
  private static final List<String> NAMES =
      List.of(
          "/sys/class/dmi/id/product_name",
          "/sys/class/dmi/id/board_name",
          "/sys/class/dmi/id/product_family",
          "/proc/device-tree/model",
          "/proc/device-tree/compatible");
  private static final String RELEASE = "/etc/mlnx-release";
  private static final String PCI = "/sys/bus/pci/devices";

  private final MachineFiles files;

  BlueFieldDetector(MachineFiles files) {
    this.files = files;
  }

  Optional<BlueField> detect() {
    List<String> names =
        NAMES.stream()
            .flatMap(path -> files.text(path).stream())
            .map(name -> name.toLowerCase(Locale.ROOT))
            .filter(name -> name.contains("bluefield"))
            .toList();
    List<String> devices =
        files.names("/sys/bus/platform/devices").stream()
            .filter(name -> name.startsWith("MLNXBF"))
            .toList();
    if (names.isEmpty() && devices.isEmpty() && release().isEmpty()) {
      return Optional.empty();
    }
    return Stream.of(byName(names), byDevice(devices), byCard(), byCore())
        .flatMap(Optional::stream)
        .findFirst()
        .or(() -> Optional.of(BlueField.UNKNOWN_GENERATION));
  }

  /** The bundle file, if it names a bundle for the DPU rather than drivers for a host. */
  Optional<String> release() {
    return files
        .text(RELEASE)
        .map(text -> text.lines().findFirst().orElse(text))
        .filter(line -> line.startsWith("bf-bundle") || line.contains("BSP"));
  }

  private static Optional<BlueField> byName(List<String> names) {
    for (String name : names) {
      if (name.matches("(?s).*bluefield[- ]?3.*")) {
        return Optional.of(BlueField.BLUEFIELD_3);
      }
      if (name.matches("(?s).*bluefield[- ]?2.*")) {
        return Optional.of(BlueField.BLUEFIELD_2);
      }
    }
    return Optional.empty();
  }

  private static Optional<BlueField> byDevice(List<String> devices) {
    for (String device : devices) {
      if (device.startsWith("MLNXBF33") || device.startsWith("MLNXBF34")) {
        return Optional.of(BlueField.BLUEFIELD_3);
      }
      if (device.startsWith("MLNXBF22")) {
        return Optional.of(BlueField.BLUEFIELD_2);
      }
      if (device.startsWith("MLNXBF02")) {
        return Optional.of(BlueField.BLUEFIELD_1);
      }
    }
    return Optional.empty();
  }

  private Optional<BlueField> byCard() {
    for (String device : files.names(PCI)) {
      if (files.text(PCI + "/" + device + "/vendor").orElse("").equals("0x15b3")) {
        switch (files.text(PCI + "/" + device + "/device").orElse("")) {
          case "0xa2dc" -> {
            return Optional.of(BlueField.BLUEFIELD_3);
          }
          case "0xa2d6" -> {
            return Optional.of(BlueField.BLUEFIELD_2);
          }
          case "0xa2d2" -> {
            return Optional.of(BlueField.BLUEFIELD_1);
          }
          default -> {
            // some other card of the vendor
          }
        }
      }
    }
    return Optional.empty();
  }

  /** Only the third generation has Cortex-A78AE; the first two share Cortex-A72. */
  private Optional<BlueField> byCore() {
    return files
        .field("/proc/cpuinfo", "CPU part")
        .filter(part -> part.equalsIgnoreCase("0xd42"))
        .map(_ -> BlueField.BLUEFIELD_3);
  }
}
