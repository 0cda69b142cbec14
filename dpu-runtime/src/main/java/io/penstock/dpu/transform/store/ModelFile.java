package io.penstock.dpu.transform.store;

import io.penstock.dpu.memory.MemoryArea;
import io.penstock.dpu.memory.MemoryClaim;
import io.penstock.dpu.memory.Reservation;
import io.penstock.dpu.transform.graph.ModelReader;
import io.penstock.dpu.transform.graph.OnnxGraph;
import io.penstock.dpu.transform.model.ModelException;
import io.penstock.dpu.transform.model.ModelException.Reason;
import io.penstock.dpu.transform.model.ModelLimits;
import io.penstock.dpu.transform.model.ModelSource;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.function.Function;

/**
 * Opens a pinned file for as long as something is made of it.
 *
 * <p>Threading: any thread; blocks.
 *
 * <p>Ownership: the file's bytes live inside {@link #with}, charged to {@link MemoryArea#MODELS}.
 */
record ModelFile(ModelPin pin, ModelSource source, ModelLimits limits, ModelMemory memory) {
  /** The file, the part written from it, and ONNX Runtime's copy of that part. */
  private static final int COPIES = 3;

  /**
   * Reads the file, checks its hash and its graph, and hands the graph to {@code use}, which must
   * not keep it.
   */
  <R> R with(Function<OnnxGraph, R> use) {
    long bytes = size();
    if (bytes > limits.fileBytes()) {
      throw ModelReader.tooLarge(bytes, limits);
    }
    try (Reservation _ =
            memory.reserve(
                new MemoryClaim(
                    MemoryArea.MODELS, Math.max(1, COPIES * bytes), "loading " + pin.id()));
        Arena arena = Arena.ofConfined()) {
      MemorySegment file = source.read(pin.file(), bytes, arena);
      String found = sha256(file);
      if (!found.equals(pin.id().sha256())) {
        throw new ModelException(
            Reason.HASH_MISMATCH,
            "model "
                + pin.id().name()
                + ": "
                + pin.file()
                + " has the SHA-256 "
                + found
                + ", not the configured one: restore the file, or configure its hash if the change is wanted");
      }
      return use.apply(ModelReader.read(file, limits));
    } catch (IOException e) {
      throw unreadable(e);
    }
  }

  private long size() {
    try {
      return source.size(pin.file());
    } catch (IOException e) {
      throw unreadable(e);
    }
  }

  private ModelException unreadable(IOException cause) {
    return new ModelException(
        Reason.UNREADABLE,
        "model " + pin.id().name() + " cannot be read: " + cause.getMessage(),
        cause);
  }

  /** The hash of {@code memory}, in lower-case hexadecimal digits. */
  static String sha256(MemorySegment memory) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update(memory.asByteBuffer());
      return HexFormat.of().formatHex(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
