package io.penstock.dpu;

import io.penstock.dpu.transport.NettyMemory;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * The JVM this process runs in.
 *
 * @param version of the language runtime, {@code 25.0.1+8-LTS}
 * @param heapLimit bytes
 * @param directLimit bytes of direct memory that Netty may allocate
 * @param warnings flags that are missing, each with what it costs
 */
public record JvmFacts(
    long pid,
    String version,
    Instant started,
    long heapLimit,
    long directLimit,
    List<String> warnings) {

  /** The accesses that flags open, as they really are, however they were opened. */
  record Access(boolean nativeCalls, boolean unsafe, boolean bufferInternals) {

    List<String> warnings() {
      List<String> warnings = new ArrayList<>();
      if (!nativeCalls) {
        warnings.add(
            "--enable-native-access=ALL-UNNAMED is missing: costs 1.5 to 2 times the CPU time");
      }
      if (!unsafe) {
        warnings.add(
            "--sun-misc-unsafe-memory-access=allow is missing: Netty checks every buffer access");
      }
      if (!bufferInternals) {
        warnings.add(
            "--add-opens=java.base/java.nio=ALL-UNNAMED is missing: Arrow batches will not work");
      }
      return warnings;
    }
  }

  public JvmFacts {
    warnings = List.copyOf(warnings);
  }

  /** This JVM. Loads Netty's classes, so its settings must have been applied before. */
  static JvmFacts here() {
    Module ours = JvmFacts.class.getModule();
    Access access =
        new Access(
            ours.isNativeAccessEnabled(),
            NettyMemory.isDirect(),
            ByteBuffer.class.getModule().isOpen("java.nio", ours));
    return new JvmFacts(
        ProcessHandle.current().pid(),
        Runtime.version().toString(),
        Instant.ofEpochMilli(ManagementFactory.getRuntimeMXBean().getStartTime()),
        Runtime.getRuntime().maxMemory(),
        NettyMemory.limit(),
        access.warnings());
  }
}
