package io.penstock.arrow.decode;

import static org.bytedeco.opencv.global.opencv_core.CV_8UC1;
import static org.bytedeco.opencv.global.opencv_core.flip;
import static org.bytedeco.opencv.global.opencv_imgcodecs.IMREAD_COLOR_RGB;
import static org.bytedeco.opencv.global.opencv_imgcodecs.IMREAD_GRAYSCALE;
import static org.bytedeco.opencv.global.opencv_imgcodecs.IMREAD_IGNORE_ORIENTATION;
import static org.bytedeco.opencv.global.opencv_imgcodecs.IMREAD_REDUCED_GRAYSCALE_2;
import static org.bytedeco.opencv.global.opencv_imgcodecs.imdecode;
import static org.bytedeco.opencv.global.opencv_imgproc.INTER_AREA;
import static org.bytedeco.opencv.global.opencv_imgproc.INTER_CUBIC;
import static org.bytedeco.opencv.global.opencv_imgproc.INTER_LINEAR;
import static org.bytedeco.opencv.global.opencv_imgproc.resize;

import io.penstock.arrow.tensor.TensorSpec;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.bytedeco.opencv.opencv_core.Mat;
import org.bytedeco.opencv.opencv_core.Rect;
import org.bytedeco.opencv.opencv_core.Size;

/**
 * JPEG, PNG and WebP into a tensor, by OpenCV. The header is read here first, and the pixel limit
 * held, before OpenCV sees a byte. A JPEG much larger than its sample is decoded at a half, a
 * quarter or an eighth of its size.
 *
 * <p>Threading: any number of threads; each call uses one core.
 *
 * <p>Ownership: native pictures (at most three: decoded, resized, flipped) are freed before the
 * call returns; their bytes are bounded by the pixel limit, three bytes a pixel.
 */
final class ImageDecoder implements TensorDecoder {

  private final ImageSpec spec;
  private final DecodeLimits limits;
  private final PixelWriter writer;

  ImageDecoder(ImageSpec spec, DecodeLimits limits) {
    this.spec = spec;
    this.limits = limits;
    this.writer = new PixelWriter(spec);
    OpenCv.load();
  }

  @Override
  public TensorSpec tensor() {
    return spec.tensor();
  }

  @Override
  public void decode(ObjectBytes source, long item, MemorySegment destination)
      throws DecodeException {
    TensorDecoder.checkDestination(spec.tensor(), destination);
    limits.checkSource(source.size());
    try (Arena arena = Arena.ofConfined()) {
      decode(source.joined(arena), item, destination);
    } catch (RuntimeException e) {
      // what cv::Exception becomes
      if (e.getClass() == RuntimeException.class) {
        throw new DecodeException(DecodeFault.CORRUPT, "the picture cannot be decoded", e);
      }
      throw e;
    }
  }

  private void decode(MemorySegment source, long item, MemorySegment destination)
      throws DecodeException {
    ImageHeader stored = ImageHeaders.read(source);
    if (stored.pixels() > limits.pixels()) {
      throw DecodeException.tooLarge(
          "the picture has %d x %d pixels, decoded are at most %d"
              .formatted(stored.width(), stored.height(), limits.pixels()));
    }
    ImageHeader header = spec.upright() ? stored.upright() : stored;
    Frame frame = Frame.of(spec, header.width(), header.height(), item, limits.pixels());
    int shrink = header.format() == ObjectFormat.JPEG ? frame.shrink() : 1;
    try (Mat encoded = OpenCv.lend(1, (int) source.byteSize(), CV_8UC1, source);
        Mat decoded = imdecode(encoded, flags(shrink))) {
      checkDecoded(decoded, header, shrink);
      Frame.Region region =
          frame.region().scaled(header.width(), header.height(), decoded.cols(), decoded.rows());
      try (Rect rect = new Rect(region.x(), region.y(), region.width(), region.height());
          Mat part = new Mat(decoded, rect)) {
        resizeInto(part, frame, destination);
      }
    }
  }

  private static void checkDecoded(Mat decoded, ImageHeader header, int shrink)
      throws DecodeException {
    if (decoded.empty()) {
      throw DecodeException.corrupt("the picture cannot be decoded: it is damaged or incomplete");
    }
    if (decoded.cols() != Math.ceilDiv(header.width(), shrink)
        || decoded.rows() != Math.ceilDiv(header.height(), shrink)) {
      throw DecodeException.corrupt("the picture has other dimensions than its header states");
    }
  }

  private int flags(int shrink) {
    int colour = spec.channels() == 1 ? IMREAD_GRAYSCALE : IMREAD_COLOR_RGB;
    // the flags for a half, a quarter and an eighth are neighbouring bits
    int reduced = shrink == 1 ? 0 : IMREAD_REDUCED_GRAYSCALE_2 * (shrink / 2);
    return colour | reduced | (spec.upright() ? 0 : IMREAD_IGNORE_ORIENTATION);
  }

  private void resizeInto(Mat part, Frame frame, MemorySegment destination) {
    boolean sameSize = part.cols() == frame.resizedWidth() && part.rows() == frame.resizedHeight();
    boolean whole = frame.resizedWidth() == spec.width() && frame.resizedHeight() == spec.height();
    if (sameSize) {
      cutInto(part, frame, destination);
    } else if (whole && !frame.flipped() && writer.takesPixels()) {
      // the last step writes to its destination itself
      try (Mat direct = writer.pixels(destination)) {
        resizeTo(part, direct, frame);
        OpenCv.checkLent(direct, destination);
      }
    } else {
      try (Mat resized = new Mat()) {
        resizeTo(part, resized, frame);
        cutInto(resized, frame, destination);
      }
    }
  }

  private void resizeTo(Mat from, Mat to, Frame frame) {
    int how =
        switch (spec.interpolation()) {
          case AREA -> INTER_AREA;
          case BILINEAR -> INTER_LINEAR;
          case BICUBIC -> INTER_CUBIC;
        };
    try (Size size = new Size(frame.resizedWidth(), frame.resizedHeight())) {
      resize(from, to, size, 0, 0, how);
    }
  }

  private void cutInto(Mat resized, Frame frame, MemorySegment destination) {
    try (Rect rect = new Rect(frame.cutX(), frame.cutY(), spec.width(), spec.height());
        Mat cut = new Mat(resized, rect)) {
      if (!frame.flipped()) {
        writer.write(cut, destination);
        return;
      }
      try (Mat mirrored = new Mat()) {
        flip(cut, mirrored, 1);
        writer.write(mirrored, destination);
      }
    }
  }
}
