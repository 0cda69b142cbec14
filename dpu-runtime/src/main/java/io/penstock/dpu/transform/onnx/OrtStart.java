package io.penstock.dpu.transform.onnx;

import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtLoggingLevel;
import io.penstock.dpu.transform.model.ModelException;
import io.penstock.dpu.transform.model.ModelException.Reason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * Starts ONNX Runtime once, with the first model: its library takes a while and tens of MiB.
 *
 * <p>ONNX Runtime 1.29 matches the process's whole command line against a regular expression when
 * it starts, recursing at each character: 4 KB of class path overrun a usual stack and end the
 * process without a word. It is therefore started on a thread whose stack grows with the command
 * line; pages of it that are not needed are never touched.
 *
 * <p>Threading: any thread; the first one blocks.
 */
final class OrtStart {
  private static final long LEAST_STACK = 16L << 20;
  private static final long STACK_PER_CHARACTER = 1024;

  private OrtStart() {}

  /**
   * The one environment of the process.
   *
   * @throws ModelException if the library does not load on this machine
   */
  static OrtEnvironment environment() {
    try {
      return Holder.STARTED.join();
    } catch (CompletionException e) {
      throw new ModelException(
          Reason.FAILED, "ONNX Runtime does not start on this machine: " + e.getCause(), e);
    }
  }

  private static final class Holder {
    static final CompletableFuture<OrtEnvironment> STARTED = start();

    private static CompletableFuture<OrtEnvironment> start() {
      CompletableFuture<OrtEnvironment> started = new CompletableFuture<>();
      long stack = Math.max(LEAST_STACK, STACK_PER_CHARACTER * commandLine());
      Thread thread = new Thread(null, () -> load(started), "onnx-start", stack);
      thread.setDaemon(true);
      thread.start();
      return started;
    }
  }

  private static void load(CompletableFuture<OrtEnvironment> started) {
    try {
      OrtEnvironment environment =
          OrtEnvironment.getEnvironment(OrtLoggingLevel.ORT_LOGGING_LEVEL_ERROR, "penstock");
      environment.setTelemetry(false);
      started.complete(environment);
    } catch (OrtException | RuntimeException | LinkageError e) {
      started.completeExceptionally(e);
    }
  }

  private static int commandLine() {
    try {
      return Files.readAllBytes(Path.of("/proc/self/cmdline")).length;
    } catch (IOException e) {
      // no such file, nothing to match
      return 0;
    }
  }
}
