package io.penstock.dpu.platform;

import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * The share of the machine that control groups leave to this process: the tightest of its own group
 * and all groups above it.
 *
 * @param version which kind of hierarchy was found
 * @param cpuQuota processors' worth of time, {@code 1.5}; empty if not limited
 * @param cpuset processors it may run on; empty if not limited
 * @param memory bytes; empty if not limited
 */
public record CgroupLimits(
    Version version, OptionalDouble cpuQuota, Optional<CpuSet> cpuset, OptionalLong memory) {

  /** Which kind of hierarchy. */
  public enum Version {
    NONE,
    V1,
    V2
  }

  /** Nothing is limited. */
  public static final CgroupLimits NONE =
      new CgroupLimits(
          Version.NONE, OptionalDouble.empty(), Optional.empty(), OptionalLong.empty());
}
