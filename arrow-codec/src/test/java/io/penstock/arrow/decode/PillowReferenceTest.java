package io.penstock.arrow.decode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.penstock.arrow.tensor.DType;
import io.penstock.arrow.tensor.TensorSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The same samples made by Pillow, which is what most training code decodes with. Debian's
 * python3-pil and python3-numpy; skipped where they are missing.
 */
class PillowReferenceTest {

  private static final Path PYTHON = Path.of("/usr/bin/python3");

  /**
   * Mean difference in steps of 256. Both take means over boxes, but Pillow counts a pixel whole or
   * not at all where OpenCV weighs its part; a cut or a resize that is off by one pixel differs by
   * several times as much, as the last test shows.
   */
  private static final double TOLERANCE = 2.5;

  @TempDir static Path folder;

  @BeforeAll
  static void pillowIsThere() throws Exception {
    assumeThat(PYTHON).exists();
    assumeThat(python("import PIL, numpy")).as("Pillow and NumPy").isZero();
    Files.write(folder.resolve("in.jpg"), Decoding.resource("chelsea.jpg"));
  }

  @Test
  void aStretchedPictureIsPillows() throws Exception {
    byte[] expected = pillow("im.resize((150, 100), Image.BOX)");
    ImageSpec spec = ImageSpec.of(TensorSpec.nhwc(DType.UINT8, 100, 150, 3));
    assertThat(meanDifference(decoded(spec), expected)).isLessThan(TOLERANCE);
  }

  @Test
  void aCentreCropIsTorchvisions() throws Exception {
    // torchvision: the longer side is int(side * long / short), the margin round(spare / 2)
    byte[] expected =
        pillow("im.resize((int(160 * 451 / 300), 160), Image.BOX).crop((56, 16, 184, 144))");
    ImageSpec spec =
        ImageSpec.of(TensorSpec.nhwc(DType.UINT8, 128, 128, 3))
            .with(new Framing.ResizeThenCrop(160, false));
    assertThat(meanDifference(decoded(spec), expected)).isLessThan(TOLERANCE);
  }

  @Test
  void theToleranceWouldShowAPixelsShift() throws Exception {
    byte[] shifted =
        pillow("im.resize((int(160 * 451 / 300), 160), Image.BOX).crop((57, 16, 185, 144))");
    ImageSpec spec =
        ImageSpec.of(TensorSpec.nhwc(DType.UINT8, 128, 128, 3))
            .with(new Framing.ResizeThenCrop(160, false));
    assertThat(meanDifference(decoded(spec), shifted)).isGreaterThan(3 * TOLERANCE);
  }

  private static byte[] decoded(ImageSpec spec) throws DecodeException {
    return Decoding.run(
        Decoders.of(spec, DecodeLimits.DEFAULTS), Decoding.resource("chelsea.jpg"), 0);
  }

  private static byte[] pillow(String expression) throws Exception {
    Path out = folder.resolve("out.raw");
    String program =
        """
        from PIL import Image
        im = Image.open('%s').convert('RGB')
        open('%s', 'wb').write((%s).tobytes())
        """
            .formatted(folder.resolve("in.jpg"), out, expression);
    assertThat(python(program)).isZero();
    return Files.readAllBytes(out);
  }

  private static int python(String program) throws IOException, InterruptedException {
    return new ProcessBuilder(PYTHON.toString(), "-c", program)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start()
        .waitFor();
  }

  private static double meanDifference(byte[] got, byte[] expected) {
    assertThat(got).hasSameSizeAs(expected);
    long sum = 0;
    for (int i = 0; i < got.length; i++) {
      sum += Math.abs((got[i] & 0xff) - (expected[i] & 0xff));
    }
    return (double) sum / got.length;
  }
}
