package io.penstock.arrow.decode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.penstock.arrow.tensor.DType;
import io.penstock.arrow.tensor.TensorSpec;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;

class ImageDecoderTest extends DecoderContract {

  private static final int WIDTH = 24;
  private static final int HEIGHT = 16;
  private static final ImageSpec AS_STORED =
      ImageSpec.of(TensorSpec.nhwc(DType.UINT8, HEIGHT, WIDTH, 3));

  @Override
  List<Sample> samples() {
    ImageSpec random =
        ImageSpec.of(TensorSpec.nchw(DType.FLOAT32, 3, 8, 8))
            .with(new Framing.RandomResizedCrop(0.1, 1, 0.75, 1.33))
            .with(Normalisation.IMAGENET)
            .with(new Augmentation(42, 0.5));
    ImageSpec grey = ImageSpec.of(TensorSpec.nchw(DType.FLOAT16, 1, 8, 12));
    return Stream.of("small.jpg", "small-progressive.jpg", "small.png", "small.webp")
        .flatMap(
            name ->
                Stream.of(AS_STORED, random, grey)
                    .map(spec -> new Sample(name, Decoding.resource(name), spec)))
        .toList();
  }

  @Test
  void losslessPicturesAreExact() throws Exception {
    byte[] expected = pixels(Decoding.resource("small.png"));
    assertThat(decode(AS_STORED, "small.png")).isEqualTo(expected);
    assertThat(decode(AS_STORED, "small-lossless.webp")).isEqualTo(expected);
    assertThat(decode(AS_STORED, "small-alpha.webp")).isEqualTo(expected);
    // transparency is dropped, not blended
    assertThat(decode(AS_STORED, "small-alpha.png")).isEqualTo(expected);
  }

  @Test
  void aJpegIsWhatImageIoSays() throws Exception {
    // both use libjpeg's integer transform; only the upsampling of chroma may differ, and here is
    // none
    assertClose(decode(AS_STORED, "small.jpg"), pixels(Decoding.resource("small.jpg")), 2);
  }

  @Test
  void greyCmykPaletteAndDeepPicturesBecomeRedGreenBlue() throws Exception {
    byte[] colour = pixels(Decoding.resource("small.png"));
    // quantised to 16 colours, or to JPEG's coefficients: near, not equal
    assertThat(meanDifference(decode(AS_STORED, "small-palette.png"), colour)).isLessThan(12);
    assertThat(meanDifference(decode(AS_STORED, "small-cmyk.jpg"), colour)).isLessThan(8);
    byte[] grey = decode(AS_STORED, "small-grey.png");
    assertThat(grey[0]).isEqualTo(grey[1]).isEqualTo(grey[2]);
    assertThat(decode(AS_STORED, "small-16bit.png")).isEqualTo(grey);
  }

  @Test
  void lumaIsAskedForWithOneChannel() throws Exception {
    ImageSpec luma = ImageSpec.of(TensorSpec.nhwc(DType.UINT8, HEIGHT, WIDTH, 1));
    byte[] colour = pixels(Decoding.resource("small.png"));
    byte[] got = decode(luma, "small.png");
    for (int i = 0; i < got.length; i++) {
      double expected =
          0.299 * (colour[3 * i] & 0xff)
              + 0.587 * (colour[3 * i + 1] & 0xff)
              + 0.114 * (colour[3 * i + 2] & 0xff);
      assertThat((double) (got[i] & 0xff)).isCloseTo(expected, within(1.0));
    }
  }

  @Test
  void planesFloatsAndNormalisationAreTheSamePixels() throws Exception {
    byte[] pixels = decode(AS_STORED, "small.png");
    Normalisation normalisation = Normalisation.IMAGENET;
    for (DType dtype : List.of(DType.FLOAT32, DType.FLOAT16)) {
      float[] planes =
          floats(
              dtype,
              decode(
                  ImageSpec.of(TensorSpec.nchw(dtype, 3, HEIGHT, WIDTH)).with(normalisation),
                  "small.png"));
      float[] interleaved =
          floats(
              dtype,
              decode(
                  ImageSpec.of(TensorSpec.nhwc(dtype, HEIGHT, WIDTH, 3)).with(normalisation),
                  "small.png"));
      // half of the last digit: 11 bits of mantissa below 4 in float16
      double tolerance = dtype == DType.FLOAT32 ? 1e-5 : 2e-3;
      for (int i = 0; i < pixels.length; i++) {
        int channel = i % 3;
        double mean = normalisation.mean().get(channel);
        double deviation = normalisation.deviation().get(channel);
        double expected = ((pixels[i] & 0xff) / 255.0 - mean) / deviation;
        assertThat((double) interleaved[i]).isCloseTo(expected, within(tolerance));
        assertThat(planes[channel * WIDTH * HEIGHT + i / 3]).isEqualTo(interleaved[i]);
      }
    }
  }

  @Test
  void planesOfBytesAreTheSamePixels() throws Exception {
    byte[] pixels = decode(AS_STORED, "small.png");
    byte[] planes =
        decode(ImageSpec.of(TensorSpec.nchw(DType.UINT8, 3, HEIGHT, WIDTH)), "small.png");
    for (int i = 0; i < pixels.length; i++) {
      assertThat(planes[i % 3 * WIDTH * HEIGHT + i / 3]).isEqualTo(pixels[i]);
    }
  }

  @Test
  void everyItemHasItsOwnLotAndKeepsIt() throws Exception {
    ImageSpec spec =
        ImageSpec.of(TensorSpec.nhwc(DType.UINT8, 8, 8, 3))
            .with(new Framing.ResizeThenCrop(12, true))
            .with(new Augmentation(1, 0.5));
    List<byte[]> items = new ArrayList<>();
    for (long item = 0; item < 8; item++) {
      items.add(Decoding.run(decoder(spec), Decoding.resource("small.png"), item));
    }
    assertThat(items.stream().map(ByteBuffer::wrap).distinct().count()).isGreaterThan(4);
    assertThat(Decoding.run(decoder(spec), Decoding.resource("small.png"), 3))
        .isEqualTo(items.get(3));
  }

  @Test
  void aFlipMirrorsLeftAndRight() throws Exception {
    byte[] pixels = decode(AS_STORED, "small.png");
    byte[] flipped = decode(AS_STORED.with(new Augmentation(0, 1)), "small.png");
    for (int y = 0; y < HEIGHT; y++) {
      for (int x = 0; x < WIDTH; x++) {
        for (int c = 0; c < 3; c++) {
          assertThat(flipped[(y * WIDTH + x) * 3 + c])
              .isEqualTo(pixels[(y * WIDTH + WIDTH - 1 - x) * 3 + c]);
        }
      }
    }
  }

  @Test
  void aSidewaysJpegStaysSoUnlessAskedFor() throws Exception {
    byte[] stored = pixels(Decoding.resource("small.jpg"));
    assertClose(decode(AS_STORED, "small-sideways.jpg"), stored, 2);
    byte[] upright =
        decode(
            ImageSpec.of(TensorSpec.nhwc(DType.UINT8, WIDTH, HEIGHT, 3)).withUpright(true),
            "small-sideways.jpg");
    byte[] expected = new byte[stored.length];
    for (int y = 0; y < HEIGHT; y++) {
      for (int x = 0; x < WIDTH; x++) {
        // orientation 6: turn clockwise by 90 degrees
        int to = (x * HEIGHT + HEIGHT - 1 - y) * 3;
        System.arraycopy(stored, (y * WIDTH + x) * 3, expected, to, 3);
      }
    }
    assertClose(upright, expected, 2);
  }

  @Test
  void shrinkingAJpegInItsTransformIsNearToShrinkingItAfter() throws Exception {
    ImageSpec small = ImageSpec.of(TensorSpec.nhwc(DType.UINT8, 50, 75, 3));
    byte[] reduced = decode(small, "chelsea.jpg");
    byte[] viaPng = Decoding.run(decoder(small), png(read(Decoding.resource("chelsea.jpg"))), 0);
    assertThat(meanDifference(reduced, viaPng)).isLessThan(3);
  }

  @Test
  void aBombIsRefusedByItsHeader() throws Exception {
    byte[] png = Decoding.resource("small.png");
    ByteBuffer.wrap(png).putInt(16, 60_000).putInt(20, 60_000);
    CRC32 crc = new CRC32();
    crc.update(png, 12, 17);
    ByteBuffer.wrap(png).putInt(29, (int) crc.getValue());
    assertThat(Decoding.fault(decoder(AS_STORED), png)).contains(DecodeFault.TOO_LARGE);
    DecodeLimits limits = DecodeLimits.DEFAULTS.withPixels(WIDTH * HEIGHT - 1);
    for (Sample sample : samples()) {
      assertThat(Decoding.fault(Decoders.of(sample.spec(), limits), sample.bytes()))
          .contains(DecodeFault.TOO_LARGE);
    }
  }

  @Test
  void aLineIsNotResizedToAMillionPixels() throws Exception {
    byte[] line = png(new BufferedImage(30_000, 1, BufferedImage.TYPE_3BYTE_BGR));
    ImageSpec spec =
        ImageSpec.of(TensorSpec.nhwc(DType.UINT8, 224, 224, 3))
            .with(new Framing.ResizeThenCrop(256, false));
    assertThat(Decoding.fault(decoder(spec), line)).contains(DecodeFault.TOO_LARGE);
    ImageSpec drawn = spec.with(new Framing.RandomResizedCrop(0.08, 1, 0.75, 1.33));
    assertThat(Decoding.fault(decoder(drawn), line)).isEmpty();
  }

  @Test
  void otherThingsAreUnsupported() {
    assertThat(Decoding.fault(decoder(AS_STORED), "GIF89a and so on".getBytes()))
        .contains(DecodeFault.UNSUPPORTED);
    assertThat(Decoding.fault(decoder(AS_STORED), Decoding.resource("animated.webp")))
        .contains(DecodeFault.UNSUPPORTED);
  }

  private static Decoder decoder(ImageSpec spec) {
    return Decoders.of(spec, DecodeLimits.DEFAULTS);
  }

  private static byte[] decode(ImageSpec spec, String name) throws DecodeException {
    return Decoding.run(decoder(spec), Decoding.resource(name), 0);
  }

  private static void assertClose(byte[] got, byte[] expected, int tolerance) {
    assertThat(got).hasSameSizeAs(expected);
    for (int i = 0; i < got.length; i++) {
      assertThat(got[i] & 0xff).as("byte %d", i).isCloseTo(expected[i] & 0xff, within(tolerance));
    }
  }

  private static double meanDifference(byte[] got, byte[] expected) {
    long sum = 0;
    for (int i = 0; i < got.length; i++) {
      sum += Math.abs((got[i] & 0xff) - (expected[i] & 0xff));
    }
    return (double) sum / got.length;
  }

  private static float[] floats(DType dtype, byte[] bytes) {
    ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    float[] floats = new float[bytes.length / dtype.bytes()];
    for (int i = 0; i < floats.length; i++) {
      floats[i] =
          dtype == DType.FLOAT32 ? buffer.getFloat() : Float.float16ToFloat(buffer.getShort());
    }
    return floats;
  }

  private static BufferedImage read(byte[] bytes) throws IOException {
    return ImageIO.read(new ByteArrayInputStream(bytes));
  }

  private static byte[] pixels(byte[] bytes) throws IOException {
    BufferedImage image = read(bytes);
    byte[] pixels = new byte[image.getWidth() * image.getHeight() * 3];
    int at = 0;
    for (int y = 0; y < image.getHeight(); y++) {
      for (int x = 0; x < image.getWidth(); x++) {
        int rgb = image.getRGB(x, y);
        pixels[at++] = (byte) (rgb >> 16);
        pixels[at++] = (byte) (rgb >> 8);
        pixels[at++] = (byte) rgb;
      }
    }
    return pixels;
  }

  private static byte[] png(BufferedImage image) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ImageIO.write(image, "png", out);
    return out.toByteArray();
  }
}
