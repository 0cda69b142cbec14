package io.penstock.arrow.tensor;

import io.penstock.arrow.memory.Block;
import io.penstock.arrow.memory.BlockSource;
import java.lang.foreign.MemorySegment;

/**
 * The samples of one batch, one after the other in one off-heap block that goes into the batch as
 * it is: decoders write at a sample's place, nothing is copied afterwards. A row whose sample was
 * not declared {@link #filled} is null in the batch and its memory is zeroed, so that neither a
 * half decoded picture nor what the memory held before leaves the process.
 *
 * <p>Threading: different rows may be written by different threads at once. {@link #seal} and
 * {@link #close} come after all of them, and whoever calls them has waited for the writers.
 *
 * <p>Ownership: owns the block until {@link #seal} hands it over or {@link #close} frees it.
 */
public final class TensorColumn implements AutoCloseable {
  private final TensorSpec spec;
  private final boolean[] filled;
  private final Block block;
  private boolean gone;

  /**
   * A column of {@code rows} empty samples.
   *
   * @throws IllegalArgumentException if the bytes of the column do not fit a long
   * @throws io.penstock.arrow.memory.BlockExhaustedException if the source has no room
   */
  public TensorColumn(TensorSpec spec, int rows, BlockSource source) {
    if (rows < 0) {
      throw new IllegalArgumentException("a column cannot have " + rows + " rows");
    }
    this.spec = spec;
    this.filled = new boolean[rows];
    this.block = source.allocate(Math.multiplyExact(spec.bytesPerSample(), (long) rows));
  }

  public TensorSpec spec() {
    return spec;
  }

  public int rows() {
    return filled.length;
  }

  /** Where the sample of {@code row} goes: exactly {@link TensorSpec#bytesPerSample} bytes. */
  public MemorySegment sample(int row) {
    alive();
    long bytes = spec.bytesPerSample();
    return block.segment().asSlice(bytes * row, bytes);
  }

  /** Declares the sample of {@code row} complete. */
  public void filled(int row) {
    alive();
    filled[row] = true;
  }

  public boolean isFilled(int row) {
    return filled[row];
  }

  /** Rows without a sample. */
  public int nulls() {
    int nulls = 0;
    for (boolean present : filled) {
      nulls += present ? 0 : 1;
    }
    return nulls;
  }

  /** Zeroes what was not filled and hands the block over to the caller, who closes it. */
  public Block seal() {
    for (int row = 0; row < filled.length; row++) {
      if (!filled[row]) {
        sample(row).fill((byte) 0);
      }
    }
    alive();
    gone = true;
    return block;
  }

  /** Frees the block, unless it was handed over. */
  @Override
  public void close() {
    if (!gone) {
      gone = true;
      block.close();
    }
  }

  private void alive() {
    if (gone) {
      throw new IllegalStateException("the column was sealed or closed");
    }
  }
}
