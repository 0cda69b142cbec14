package io.penstock.arrow.ipc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;
import org.junit.jupiter.api.Test;

class BatchWriterTest {
  private static final Schema SCHEMA =
      new Schema(
          List.of(
              new Field("payload", FieldType.nullable(new ArrowType.LargeBinary()), List.of())));

  private final List<Frame> frames = new ArrayList<>();
  private final BatchWriter writer =
      new BatchWriter(
          SCHEMA,
          frame -> {
            frames.add(frame);
            return CompletableFuture.completedStage(null);
          },
          BodyCompressor.NONE);

  /** A part that counts how often it is let go. */
  private static final class CountedPart implements BodyPart {
    private final ByteBuffer buffer;
    private int releases;

    CountedPart(int bytes) {
      buffer = ByteBuffer.allocateDirect(bytes);
    }

    @Override
    public int bytes() {
      return buffer.capacity();
    }

    @Override
    public ByteBuffer view() {
      return buffer.duplicate();
    }

    @Override
    public void release() {
      releases++;
    }
  }

  private static ColumnBody column(BodyPart... parts) {
    BinaryColumn column = new BinaryColumn();
    column.add(List.of(parts));
    return column.body();
  }

  @Test
  void payloadReachesTheSinkInTheVeryPartsItCameIn() {
    CountedPart first = new CountedPart(100);
    CountedPart second = new CountedPart(28);
    writer.begin();
    writer.write(1, List.of(column(first, second)));
    writer.end();
    assertThat(frames)
        .extracting(Frame::kind)
        .containsExactly(Frame.Kind.SCHEMA, Frame.Kind.BATCH, Frame.Kind.END);
    Frame batch = frames.get(1);
    assertThat(batch.parts()).hasSize(3).contains(first, second);
    assertThat(batch.bytes() % 64).isZero();
    assertThat(frames.getFirst().bytes() % 64).isZero();
    assertThat(first.releases + second.releases).isZero();
    batch.release();
    assertThat(first.releases).isOne();
    assertThat(second.releases).isOne();
  }

  @Test
  void payloadBeginsAtAMultipleOf64() {
    CountedPart part = new CountedPart(7);
    writer.begin();
    writer.write(1, List.of(column(part)));
    Frame batch = frames.get(1);
    assertThat(batch.parts().indexOf(part)).isEqualTo(1);
    assertThat(batch.parts().getFirst().bytes() % 64).isZero();
  }

  @Test
  void aRefusedBatchIsReleased() {
    CountedPart part = new CountedPart(7);
    writer.begin();
    assertThatThrownBy(() -> writer.write(2, List.of(column(part))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("1 values in a batch of 2 rows");
    assertThat(part.releases).isOne();
    CountedPart other = new CountedPart(7);
    assertThatThrownBy(() -> writer.write(1, List.of(column(other), column())))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(other.releases).isOne();
  }

  @Test
  void nothingFollowsTheEnd() {
    CountedPart part = new CountedPart(7);
    assertThatThrownBy(() -> writer.write(1, List.of(column(part))))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("begin()");
    writer.begin();
    writer.fail(new StreamError("InternalError", "broken", false));
    assertThatThrownBy(writer::end).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> writer.write(1, List.of(column(part))))
        .isInstanceOf(IllegalStateException.class);
    assertThat(part.releases).isEqualTo(2);
    assertThat(frames).extracting(Frame::kind).endsWith(Frame.Kind.FAILURE);
  }
}
