package io.penstock.dpu.platform;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * Reads the limits of this process's control groups, version 1 and 2 and mixtures of both (kernel
 * documentation: admin-guide/cgroup-v1, admin-guide/cgroup-v2). Never throws: a file that is
 * missing or nonsense limits nothing.
 *
 * <p>Threading: immutable.
 */
public final class CgroupProbe {
  // v1 says "unlimited" as the largest page-aligned long, which depends on the page size
  private static final long UNLIMITED = 1L << 60;

  private final MachineFiles files;

  /**
   * A probe of the machine at {@code root}.
   *
   * @param root {@code /}, or a folder that looks like it
   */
  public CgroupProbe(Path root) {
    this.files = new MachineFiles(root);
  }

  public CgroupLimits read() {
    CgroupPaths paths = new CgroupPaths(files);
    Optional<CgroupPaths.Hierarchy> cpu = paths.of("cpu");
    Optional<CgroupPaths.Hierarchy> cpuset = paths.of("cpuset");
    Optional<CgroupPaths.Hierarchy> memory = paths.of("memory");
    CgroupLimits.Version version =
        Stream.of(memory, cpu, cpuset)
            .flatMap(Optional::stream)
            .map(CgroupPaths.Hierarchy::version)
            .findFirst()
            .orElse(CgroupLimits.Version.NONE);
    return new CgroupLimits(
        version,
        cpu.map(this::quota).orElse(OptionalDouble.empty()),
        cpuset.flatMap(this::cpuset),
        memory.map(this::memory).orElse(OptionalLong.empty()));
  }

  private OptionalDouble quota(CgroupPaths.Hierarchy hierarchy) {
    boolean v2 = hierarchy.version() == CgroupLimits.Version.V2;
    return hierarchy.directories().stream()
        .map(directory -> v2 ? quotaV2(directory) : quotaV1(directory))
        .flatMapToDouble(OptionalDouble::stream)
        .min();
  }

  /** {@code cpu.max}: "150000 100000" or "max 100000". */
  private OptionalDouble quotaV2(String directory) {
    String[] parts = files.text(directory + "/cpu.max").orElse("").split("\\s+", -1);
    if (parts.length != 2) {
      return OptionalDouble.empty();
    }
    return ratio(MachineFiles.parse(parts[0]), MachineFiles.parse(parts[1]));
  }

  private OptionalDouble quotaV1(String directory) {
    return ratio(
        files.number(directory + "/cpu.cfs_quota_us"),
        files.number(directory + "/cpu.cfs_period_us"));
  }

  private static OptionalDouble ratio(OptionalLong quota, OptionalLong period) {
    if (quota.orElse(-1) <= 0 || period.orElse(-1) <= 0) {
      return OptionalDouble.empty();
    }
    return OptionalDouble.of((double) quota.getAsLong() / period.getAsLong());
  }

  private Optional<CpuSet> cpuset(CgroupPaths.Hierarchy hierarchy) {
    List<String> names =
        List.of("/cpuset.cpus.effective", "/cpuset.effective_cpus", "/cpuset.cpus");
    return hierarchy.directories().stream()
        .flatMap(directory -> names.stream().map(name -> directory + name))
        .flatMap(path -> files.text(path).flatMap(CpuSet::parse).stream())
        .findFirst();
  }

  private OptionalLong memory(CgroupPaths.Hierarchy hierarchy) {
    String name =
        hierarchy.version() == CgroupLimits.Version.V2 ? "/memory.max" : "/memory.limit_in_bytes";
    return hierarchy.directories().stream()
        .flatMapToLong(directory -> files.number(directory + name).stream())
        .filter(bytes -> bytes > 0 && bytes < UNLIMITED)
        .min();
  }
}
