package io.penstock.dpu.platform;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Where the files of this process's control groups are: {@code /proc/self/cgroup} names the group
 * of each hierarchy, {@code /proc/self/mountinfo} where that hierarchy is mounted and from which
 * group downwards. In a container the two may speak of different roots: then the mount point itself
 * is the group.
 *
 * <p>Threading: immutable.
 */
final class CgroupPaths {
  private static final String V2_DEFAULT = "/sys/fs/cgroup";

  private record Membership(List<String> controllers, String path) {
    boolean isUnified() {
      return controllers.isEmpty();
    }
  }

  private record Mount(String root, String point, boolean unified, List<String> controllers) {}

  /** The directories that bind a controller, the process's own group first. */
  record Hierarchy(CgroupLimits.Version version, List<String> directories) {}

  private final List<Membership> memberships;
  private final List<Mount> mounts;

  CgroupPaths(MachineFiles files) {
    this.memberships =
        files.lines("/proc/self/cgroup").stream()
            .flatMap(line -> membership(line).stream())
            .toList();
    this.mounts =
        files.lines("/proc/self/mountinfo").stream().flatMap(line -> mount(line).stream()).toList();
  }

  /** The hierarchy that governs {@code controller}: a v1 hierarchy that names it wins over v2. */
  Optional<Hierarchy> of(String controller) {
    return memberships.stream()
        .filter(m -> m.controllers().contains(controller))
        .findFirst()
        .map(m -> new Hierarchy(CgroupLimits.Version.V1, directories(m, v1Mount(controller))))
        .or(
            () ->
                memberships.stream()
                    .filter(Membership::isUnified)
                    .findFirst()
                    .map(m -> new Hierarchy(CgroupLimits.Version.V2, directories(m, v2Mount()))));
  }

  private Mount v1Mount(String controller) {
    return mounts.stream()
        .filter(mount -> !mount.unified() && mount.controllers().contains(controller))
        .findFirst()
        .orElse(new Mount("/", V2_DEFAULT + "/" + controller, false, List.of(controller)));
  }

  private Mount v2Mount() {
    return mounts.stream()
        .filter(Mount::unified)
        .findFirst()
        .orElse(new Mount("/", V2_DEFAULT, true, List.of()));
  }

  private static List<String> directories(Membership membership, Mount mount) {
    List<String> directories = new ArrayList<>();
    String below = below(membership.path(), mount.root());
    while (!below.isEmpty()) {
      directories.add(mount.point() + below);
      below = below.substring(0, below.lastIndexOf('/'));
    }
    directories.add(mount.point());
    return directories;
  }

  /** {@code /a/b} below {@code /a} is {@code /b}; a group that is not visible here is "". */
  private static String below(String path, String root) {
    String base = root.equals("/") ? "" : root;
    boolean visible = path.equals(base) || path.startsWith(base + "/");
    if (!visible || path.contains("..")) {
      return "";
    }
    String below = path.substring(base.length());
    return below.equals("/") ? "" : below;
  }

  /** {@code 4:memory:/docker/1f}, {@code 0::/user.slice}. */
  private static Optional<Membership> membership(String line) {
    String[] parts = line.split(":", 3);
    if (parts.length != 3 || !parts[2].startsWith("/")) {
      return Optional.empty();
    }
    List<String> controllers =
        parts[1].isEmpty() ? List.of() : Arrays.asList(parts[1].split(",", -1));
    return Optional.of(new Membership(controllers, parts[2]));
  }

  /** {@code 36 25 0:31 /docker/1f /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory}. */
  private static Optional<Mount> mount(String line) {
    int dash = line.indexOf(" - ");
    if (dash < 0) {
      return Optional.empty();
    }
    String[] left = line.substring(0, dash).split(" ", -1);
    String[] right = line.substring(dash + 3).split(" ", -1);
    if (left.length < 5 || right.length < 3 || !right[0].startsWith("cgroup")) {
      return Optional.empty();
    }
    List<String> options = Arrays.asList(right[2].split(",", -1));
    return Optional.of(new Mount(left[3], left[4], right[0].equals("cgroup2"), options));
  }
}
