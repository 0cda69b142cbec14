package io.penstock.arrow.wire;

import io.penstock.arrow.ipc.BatchWriter;
import io.penstock.arrow.ipc.BodyBuffer;
import io.penstock.arrow.ipc.BodyCompressor;
import io.penstock.arrow.ipc.BodyPart;
import io.penstock.arrow.ipc.ColumnBody;
import io.penstock.arrow.tensor.DType;
import io.penstock.arrow.tensor.TensorField;
import io.penstock.arrow.tensor.TensorSpec;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * The file that one sample makes: its bytes as they are, and what stands before and after them,
 * which is the same for all samples of one form.
 *
 * <p>Threading: immutable; the arrays are not changed by anybody.
 *
 * @param payload bytes of the sample
 */
public record SampleFile(byte[] before, long payload, byte[] after) {
  private static final int NPY_FIXED = 10;
  private static final int NPY_ALIGNMENT = 64;
  private static final byte[] NPY_MAGIC = {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0};

  /** All of it, bytes. */
  public long length() {
    return before.length + payload + after.length;
  }

  /** As {@code numpy.save} writes it: format 1.0 of {@code numpy.lib.format}, in C order. */
  public static SampleFile npy(TensorSpec spec) {
    String shape =
        spec.shape().stream().map(length -> length + ",").collect(Collectors.joining(" "));
    String dict =
        "{'descr': '%s', 'fortran_order': False, 'shape': (%s), }"
            .formatted(descr(spec.dtype()), spec.shape().size() > 1 ? trimmed(shape) : shape);
    int whole = (NPY_FIXED + dict.length() + NPY_ALIGNMENT) / NPY_ALIGNMENT * NPY_ALIGNMENT;
    int length = whole - NPY_FIXED;
    ByteBuffer header = ByteBuffer.allocate(whole).put(NPY_MAGIC);
    header.put((byte) length).put((byte) (length >> Byte.SIZE));
    header.put(dict.getBytes(StandardCharsets.US_ASCII));
    while (header.remaining() > 1) {
      header.put((byte) ' ');
    }
    header.put((byte) '\n');
    return new SampleFile(header.array(), spec.bytesPerSample(), new byte[0]);
  }

  private static String trimmed(String shape) {
    return shape.substring(0, shape.length() - 1);
  }

  private static String descr(DType dtype) {
    String kind = dtype.text().startsWith("u") ? "u" : dtype.text().startsWith("i") ? "i" : "f";
    return (dtype.bytes() == 1 ? "|" : "<") + kind + dtype.bytes();
  }

  /** An Arrow IPC stream of one batch of one row: the column {@code tensor}. */
  public static SampleFile arrow(TensorSpec spec, Map<String, String> metadata) {
    PayloadColumn column = PayloadColumn.tensor(spec, TensorField.Form.EXTENSION);
    Frames frames = new Frames();
    BatchWriter writer =
        new BatchWriter(
            new Schema(List.of(column.field()), metadata), frames::frame, BodyCompressor.NONE);
    var _ = writer.begin();
    BodyBuffer sample = new BodyBuffer(List.of(new Place(Math.toIntExact(spec.bytesPerSample()))));
    ColumnBody body =
        new ColumnBody(
            List.of(new ColumnBody.Node(1, 0), new ColumnBody.Node(spec.elements(), 0)),
            List.of(BodyBuffer.ABSENT, BodyBuffer.ABSENT, sample));
    var _ = writer.write(1, List.of(body));
    var _ = writer.end();
    return new SampleFile(
        frames.before.toByteArray(), spec.bytesPerSample(), frames.after.toByteArray());
  }

  /** Where the sample will be; nobody looks at its bytes before. */
  private record Place(int bytes) implements BodyPart {
    @Override
    public ByteBuffer view() {
      throw new IllegalStateException("there is no sample yet");
    }

    @Override
    public void release() {}
  }

  /** Collects what is around the sample. */
  private static final class Frames {
    private final ByteArrayOutputStream before = new ByteArrayOutputStream();
    private final ByteArrayOutputStream after = new ByteArrayOutputStream();
    private boolean passed;

    CompletableFuture<Void> frame(io.penstock.arrow.ipc.Frame frame) {
      for (BodyPart part : frame.parts()) {
        if (part instanceof Place) {
          passed = true;
        } else {
          byte[] bytes = new byte[part.bytes()];
          part.view().get(bytes);
          (passed ? after : before).writeBytes(bytes);
          part.release();
        }
      }
      return CompletableFuture.completedFuture(null);
    }
  }
}
