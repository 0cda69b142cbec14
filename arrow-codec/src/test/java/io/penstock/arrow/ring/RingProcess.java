package io.penstock.arrow.ring;

import io.penstock.arrow.ipc.Frame;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** One end of a ring in a process of its own, to be killed: prints a line when it is at work. */
final class RingProcess implements AutoCloseable {
  private final Process process;

  private RingProcess(Process process) {
    this.process = process;
  }

  /** Starts {@code role}: owner, producer or consumer. */
  static RingProcess start(String role, Path folder) throws IOException {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    Process process =
        new ProcessBuilder(
                List.of(
                    java,
                    "--enable-native-access=ALL-UNNAMED",
                    "-XX:TieredStopAtLevel=1",
                    "-Xmx64m",
                    "-cp",
                    System.getProperty("java.class.path"),
                    RingProcess.class.getName(),
                    role,
                    folder.toString()))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    RingProcess started = new RingProcess(process);
    String line = process.inputReader(StandardCharsets.UTF_8).readLine();
    if (!"ready".equals(line)) {
      started.close();
      throw new IOException(role + " said " + line);
    }
    return started;
  }

  /** kill -9, and waits until it has gone. */
  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }

  public static void main(String[] args) throws Exception {
    RingDirectory rings = new RingDirectory(Path.of(args[1]), RingHost.linux(System::nanoTime));
    switch (args[0]) {
      case "owner" -> {
        Ring ring = rings.create("r", 1 << 20, 1);
        ready();
        Thread.sleep(Duration.ofMinutes(5));
        ring.close();
      }
      case "producer" -> {
        RingWriter writer = rings.write("r", Duration.ofMinutes(5));
        writer.write(Frames.of(Frame.Kind.SCHEMA, 0, 8));
        ready();
        while (true) {
          writer.write(Frames.of(Frame.Kind.BATCH, writer.batches(), 20_000));
        }
      }
      default -> {
        RingReader reader = rings.read("r");
        RingRecord held = reader.next(Duration.ofMinutes(1)).orElseThrow();
        ready();
        Thread.sleep(Duration.ofMinutes(5));
        held.close();
      }
    }
  }

  private static void ready() {
    System.out.println("ready");
    System.out.flush();
  }
}
