package io.penstock.dpu.transform.model;

import io.penstock.arrow.tensor.TensorSpec;
import java.nio.channels.WritableByteChannel;
import java.util.List;

/**
 * A network whose weights do not change, and where it can be divided. It has been read, checked and
 * tried: at each of its {@link #cuts} the first part has one output, whose rows belong to the
 * samples one by one, and the second part needs nothing else.
 *
 * <p>Threading: any thread, but the methods that say so block and belong on compute threads.
 *
 * <p>Ownership: the store's; holds no session itself, so there is nothing to close.
 */
public interface FrozenModel {
  ModelId id();

  /** One sample of what goes in. */
  TensorSpec input();

  /** One sample of what comes out. */
  TensorSpec output();

  /**
   * Every place to divide it, in the order of the data: first the input (nothing is computed), last
   * the output (everything is).
   */
  List<Cut> cuts();

  /**
   * The cut of that name.
   *
   * @throws ModelException {@link ModelException.Reason#NO_SUCH_CUT}, naming those there are
   */
  Cut cut(String name);

  /**
   * Makes the part before {@code cut} ready to run, or finds it ready. Blocks: reads the file and
   * builds a session if there is none.
   *
   * @throws ModelException if memory is short (retryable), the file is gone or is another one now,
   *     or ONNX Runtime refuses the part
   */
  FrozenPrefix prefix(Cut cut);

  /**
   * Writes the part after {@code cut} as an ONNX model with one free batch dimension. Blocks.
   *
   * @return bytes written
   * @throws ModelException as {@link #prefix}; {@link ModelException.Reason#NO_SUCH_CUT} for the
   *     output, after which there is nothing
   */
  long writeSuffix(Cut cut, WritableByteChannel target);

  /** Writes the part before {@code cut}, as {@link #writeSuffix} does. */
  long writePrefix(Cut cut, WritableByteChannel target);
}
