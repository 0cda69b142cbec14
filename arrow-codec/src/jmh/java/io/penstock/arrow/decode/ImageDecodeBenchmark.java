package io.penstock.arrow.decode;

import static org.bytedeco.opencv.global.opencv_core.CV_32FC1;
import static org.bytedeco.opencv.global.opencv_core.CV_8UC1;
import static org.bytedeco.opencv.global.opencv_core.extractChannel;
import static org.bytedeco.opencv.global.opencv_imgcodecs.IMREAD_COLOR_RGB;
import static org.bytedeco.opencv.global.opencv_imgcodecs.IMREAD_REDUCED_GRAYSCALE_2;
import static org.bytedeco.opencv.global.opencv_imgcodecs.imdecode;
import static org.bytedeco.opencv.global.opencv_imgproc.INTER_AREA;
import static org.bytedeco.opencv.global.opencv_imgproc.resize;

import io.penstock.arrow.tensor.DType;
import io.penstock.arrow.tensor.TensorSpec;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.bytedeco.opencv.opencv_core.Mat;
import org.bytedeco.opencv.opencv_core.Size;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * A JPEG into a sample of 224 x 224, by the decoder and by the same OpenCV calls without it:
 * pictures a second of one core. The two pairs to compare are {@code decodedBytes} with {@code
 * bareBytes} and {@code decodedFloats} with {@code bareFloats}.
 *
 * <p>{@code mvn -q -Pjmh -pl arrow-codec test-compile exec:exec@jmh
 * -Djmh.include=ImageDecodeBenchmark}
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(
    value = 2,
    jvmArgsAppend = {"-XX:+UseSerialGC", "-Xmx512m"})
public class ImageDecodeBenchmark {
  private static final int SIDE = 224;
  private static final int CHANNELS = 3;
  private static final Path PICTURES =
      Path.of(System.getProperty("pictures", "../examples/pictures"));

  /** The second is large enough to be decoded at half of its size. */
  @Param({"chelsea.jpg", "astronaut.jpg"})
  private String picture;

  private final TensorDecoder bytes = decoder(TensorSpec.nhwc(DType.UINT8, SIDE, SIDE, CHANNELS));
  private final TensorDecoder floats =
      decoder(TensorSpec.nchw(DType.FLOAT32, CHANNELS, SIDE, SIDE));
  private final MemorySegment sample =
      Arena.global().allocate((long) SIDE * SIDE * CHANNELS * Float.BYTES, 64);
  private MemorySegment jpeg = MemorySegment.NULL;
  private int flags;

  private static TensorDecoder decoder(TensorSpec tensor) {
    return Decoders.tensors(ImageSpec.of(tensor), DecodeLimits.DEFAULTS);
  }

  @Setup
  public void read() throws IOException, DecodeException {
    byte[] file = Files.readAllBytes(PICTURES.resolve(picture));
    jpeg = Arena.global().allocate(file.length, 64);
    MemorySegment.copy(file, 0, jpeg, ValueLayout.JAVA_BYTE, 0, file.length);
    ImageHeader header = ImageHeaders.read(jpeg);
    boolean halved = Math.min(header.width(), header.height()) >= 2 * SIDE;
    flags = IMREAD_COLOR_RGB | (halved ? IMREAD_REDUCED_GRAYSCALE_2 : 0);
  }

  @Benchmark
  public void decodedBytes() throws DecodeException {
    bytes.decode(ObjectBytes.of(jpeg), 0, sample.asSlice(0, (long) SIDE * SIDE * CHANNELS));
  }

  @Benchmark
  public void decodedFloats() throws DecodeException {
    floats.decode(ObjectBytes.of(jpeg), 0, sample);
  }

  @Benchmark
  public int bareBytes() {
    try (Mat resized = bare()) {
      return resized.rows();
    }
  }

  @Benchmark
  public int bareFloats() {
    int rows = 0;
    try (Mat resized = bare();
        Mat channel = new Mat();
        Mat plane = new Mat(SIDE, SIDE, CV_32FC1)) {
      for (int i = 0; i < CHANNELS; i++) {
        extractChannel(resized, channel, i);
        channel.convertTo(plane, CV_32FC1, 1 / 255.0, 0);
        rows += plane.rows();
      }
    }
    return rows;
  }

  private Mat bare() {
    Mat resized = new Mat();
    try (Mat encoded = OpenCv.lend(1, (int) jpeg.byteSize(), CV_8UC1, jpeg);
        Mat decoded = imdecode(encoded, flags);
        Size size = new Size(SIDE, SIDE)) {
      resize(decoded, resized, size, 0, 0, INTER_AREA);
    }
    return resized;
  }
}
