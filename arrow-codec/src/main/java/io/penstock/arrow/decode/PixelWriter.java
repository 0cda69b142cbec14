package io.penstock.arrow.decode;

import static org.bytedeco.opencv.global.opencv_core.CV_16F;
import static org.bytedeco.opencv.global.opencv_core.CV_32F;
import static org.bytedeco.opencv.global.opencv_core.CV_8U;
import static org.bytedeco.opencv.global.opencv_core.CV_MAKETYPE;
import static org.bytedeco.opencv.global.opencv_core.extractChannel;
import static org.bytedeco.opencv.global.opencv_core.merge;

import io.penstock.arrow.tensor.DType;
import io.penstock.arrow.tensor.Layout;
import java.lang.foreign.MemorySegment;
import org.bytedeco.opencv.opencv_core.Mat;
import org.bytedeco.opencv.opencv_core.MatVector;

/**
 * Writes the 8-bit pixels of a finished cut into a sample: types converted, normalised, and in
 * planes or interleaved.
 *
 * <p>Threading: any number of threads.
 *
 * <p>Ownership: the destination stays the caller's; planes in between are freed before returning.
 */
final class PixelWriter {

  private final ImageSpec spec;
  private final int depth;
  private final int channels;

  PixelWriter(ImageSpec spec) {
    this.spec = spec;
    this.channels = spec.channels();
    this.depth =
        switch (spec.tensor().dtype()) {
          case FLOAT16 -> CV_16F;
          case FLOAT32 -> CV_32F;
          default -> CV_8U;
        };
  }

  /** Whether the sample is laid out as OpenCV lays out pixels, so that it can write them itself. */
  boolean takesPixels() {
    return spec.tensor().dtype() == DType.UINT8 && interleaved();
  }

  /** The destination as a picture. */
  Mat pixels(MemorySegment destination) {
    return OpenCv.lend(spec.height(), spec.width(), CV_MAKETYPE(depth, channels), destination);
  }

  void write(Mat cut, MemorySegment destination) {
    if (!interleaved()) {
      writePlanes(cut, destination);
    } else if (takesPixels() || spec.normalisation().uniform()) {
      try (Mat to = pixels(destination)) {
        convert(cut, to, 0);
        OpenCv.checkLent(to, destination);
      }
    } else {
      mergePlanes(cut, destination);
    }
  }

  private boolean interleaved() {
    return spec.tensor().layout() == Layout.NHWC || channels == 1;
  }

  private void convert(Mat from, Mat to, int channel) {
    Normalisation normalisation = spec.normalisation();
    if (depth == CV_8U) {
      from.copyTo(to);
    } else {
      from.convertTo(to, depth, normalisation.factor(channel), normalisation.offset(channel));
    }
  }

  private void writePlanes(Mat cut, MemorySegment destination) {
    long bytes = destination.byteSize() / channels;
    try (Mat channel = new Mat()) {
      for (int i = 0; i < channels; i++) {
        MemorySegment memory = destination.asSlice(i * bytes, bytes);
        try (Mat plane = OpenCv.lend(spec.height(), spec.width(), CV_MAKETYPE(depth, 1), memory)) {
          if (depth == CV_8U) {
            extractChannel(cut, plane, i);
          } else {
            extractChannel(cut, channel, i);
            convert(channel, plane, i);
          }
          OpenCv.checkLent(plane, memory);
        }
      }
    }
  }

  private void mergePlanes(Mat cut, MemorySegment destination) {
    try (MatVector planes = new MatVector();
        Mat channel = new Mat();
        Mat to = pixels(destination)) {
      for (int i = 0; i < channels; i++) {
        try (Mat plane = new Mat()) {
          extractChannel(cut, channel, i);
          convert(channel, plane, i);
          planes.push_back(plane);
        }
      }
      merge(planes, to);
      OpenCv.checkLent(to, destination);
    }
  }
}
