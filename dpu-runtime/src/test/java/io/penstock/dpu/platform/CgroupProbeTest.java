package io.penstock.dpu.platform;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.dpu.platform.CgroupLimits.Version;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CgroupProbeTest {
  private static final long MIB = 1 << 20;
  private static final String V2_MOUNT =
      "30 23 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n";

  @TempDir Path root;
  private FakeMachine machine;

  @BeforeEach
  void emptyMachine() {
    machine = new FakeMachine(root);
  }

  private CgroupLimits read() {
    return new CgroupProbe(root).read();
  }

  private static CgroupLimits limits(Version version, double quota, String cpus, long memory) {
    return new CgroupLimits(
        version, OptionalDouble.of(quota), CpuSet.parse(cpus), OptionalLong.of(memory));
  }

  @Test
  void aPlainHostWithVersion2IsNotLimited() {
    machine
        .put("/proc/self/cgroup", "0::/user.slice/user-0.slice/session-1.scope\n")
        .put("/proc/self/mountinfo", "22 1 8:1 / / rw - ext4 /dev/sda1 rw\n" + V2_MOUNT)
        .put("/sys/fs/cgroup/user.slice/user-0.slice/session-1.scope/memory.max", "max\n")
        .put("/sys/fs/cgroup/user.slice/memory.max", "max\n")
        .put("/sys/fs/cgroup/user.slice/cpu.max", "max 100000\n");
    assertThat(read())
        .isEqualTo(
            new CgroupLimits(
                Version.V2, OptionalDouble.empty(), Optional.empty(), OptionalLong.empty()));
  }

  @Test
  void aContainerWithVersion2SeesItsOwnGroupAsTheRoot() {
    machine
        .put("/proc/self/cgroup", "0::/\n")
        .put("/proc/self/mountinfo", V2_MOUNT)
        .put("/sys/fs/cgroup/cpu.max", "150000 100000\n")
        .put("/sys/fs/cgroup/cpuset.cpus.effective", "2-3,6\n")
        .put("/sys/fs/cgroup/memory.max", "536870912\n");
    assertThat(read()).isEqualTo(limits(Version.V2, 1.5, "2-3,6", 512 * MIB));
  }

  @Test
  void theTightestOfNestedGroupsBinds() {
    String slice = "/sys/fs/cgroup/kubepods.slice";
    machine
        .put("/proc/self/cgroup", "0::/kubepods.slice/pod1.slice/cri-1.scope\n")
        .put("/proc/self/mountinfo", V2_MOUNT)
        .put(slice + "/pod1.slice/cri-1.scope/cpu.max", "400000 100000\n")
        .put(slice + "/pod1.slice/cpu.max", "200000 100000\n")
        .put(slice + "/cpu.max", "max 100000\n")
        .put(slice + "/pod1.slice/cri-1.scope/memory.max", "max\n")
        .put(slice + "/pod1.slice/memory.max", "1073741824\n")
        .put(slice + "/memory.max", "8589934592\n")
        .put(slice + "/cpuset.cpus.effective", "0-7\n");
    assertThat(read()).isEqualTo(limits(Version.V2, 2.0, "0-7", 1024 * MIB));
  }

  @Test
  void aContainerWithVersion1() {
    String docker = "/docker/1f2e";
    machine
        .put(
            "/proc/self/cgroup",
            """
            11:memory:%s
            4:cpu,cpuacct:%s
            3:cpuset:%s
            1:name=systemd:%s
            0::/
            """
                .formatted(docker, docker, docker, docker))
        .put(
            "/proc/self/mountinfo",
            """
            40 30 0:31 /docker/1f2e /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory
            41 30 0:32 /docker/1f2e /sys/fs/cgroup/cpu,cpuacct ro master:9 - cgroup cgroup rw,cpu,cpuacct
            42 30 0:33 /docker/1f2e /sys/fs/cgroup/cpuset ro - cgroup cgroup rw,cpuset
            """)
        .put("/sys/fs/cgroup/memory/memory.limit_in_bytes", "268435456\n")
        .put("/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "50000\n")
        .put("/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000\n")
        .put("/sys/fs/cgroup/cpuset/cpuset.cpus", "0-1\n");
    assertThat(read()).isEqualTo(limits(Version.V1, 0.5, "0-1", 256 * MIB));
  }

  @Test
  void nestedGroupsOfVersion1WithoutMountTable() {
    machine
        .put("/proc/self/cgroup", "4:memory:/jobs/one\n1:cpu:/\n")
        .put("/sys/fs/cgroup/memory/jobs/one/memory.limit_in_bytes", "9223372036854771712\n")
        .put("/sys/fs/cgroup/memory/jobs/memory.limit_in_bytes", "134217728\n")
        .put("/sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n")
        .put("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1\n")
        .put("/sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
    CgroupLimits limits = read();
    assertThat(limits.memory()).hasValue(128 * MIB);
    assertThat(limits.cpuQuota()).isEmpty();
  }

  @Test
  void unlimitedVersion1IsAHugeNumberWhateverThePageSize() {
    machine.put("/proc/self/cgroup", "4:memory:/\n");
    for (String huge : new String[] {"9223372036854771712", "9223372036854710272", "-1"}) {
      machine.put("/sys/fs/cgroup/memory/memory.limit_in_bytes", huge);
      assertThat(read().memory()).as(huge).isEmpty();
    }
  }

  @Test
  void aMixtureTakesEachControllerFromItsOwnHierarchy() {
    machine
        .put("/proc/self/cgroup", "4:memory:/\n0::/app\n")
        .put(
            "/proc/self/mountinfo",
            """
            40 30 0:31 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory
            41 30 0:32 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw
            """)
        .put("/sys/fs/cgroup/memory/memory.limit_in_bytes", "268435456\n")
        .put("/sys/fs/cgroup/unified/app/cpu.max", "300000 100000\n");
    CgroupLimits limits = read();
    assertThat(limits.version()).isEqualTo(Version.V1);
    assertThat(limits.memory()).hasValue(256 * MIB);
    assertThat(limits.cpuQuota()).hasValue(3.0);
  }

  @Test
  void aGroupOutsideTheNamespaceIsReadAtTheMountPoint() {
    machine
        .put("/proc/self/cgroup", "0::/../../other\n")
        .put("/proc/self/mountinfo", V2_MOUNT)
        .put("/sys/fs/cgroup/memory.max", "268435456\n");
    assertThat(read().memory()).hasValue(256 * MIB);
  }

  @Test
  void noGroupsNoLimits() {
    assertThat(read()).isEqualTo(CgroupLimits.NONE);
  }

  @Test
  void brokenFilesLimitNothing() {
    machine
        .put("/proc/self/cgroup", "nonsense\n4:memory\n0::relative\n::\n0::/\n")
        .put("/proc/self/mountinfo", "a - b\n - \n30 23 0:26 / /sys/fs/cgroup rw - cgroup2\n")
        .put("/sys/fs/cgroup/cpu.max", "fast 100000\n")
        .put("/sys/fs/cgroup/cpuset.cpus.effective", "all\n")
        .put("/sys/fs/cgroup/memory.max", "-5\n");
    assertThat(read())
        .isEqualTo(
            new CgroupLimits(
                Version.V2, OptionalDouble.empty(), Optional.empty(), OptionalLong.empty()));
    machine.put("/sys/fs/cgroup/cpu.max", "100000 0\n");
    assertThat(read().cpuQuota()).isEmpty();
  }

  @Test
  void thisProcessIsInSomeGroupOrNone() {
    CgroupLimits limits = new CgroupProbe(Path.of("/")).read();
    limits.memory().ifPresent(bytes -> assertThat(bytes).isGreaterThan(MIB));
    limits.cpuQuota().ifPresent(quota -> assertThat(quota).isPositive());
  }
}
