package io.penstock.arrow.decode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.arrow.tensor.DType;
import io.penstock.arrow.tensor.TensorSpec;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ArrayDecoderTest extends DecoderContract {

  private static final TensorSpec TENSOR = TensorSpec.plain(DType.FLOAT32, 2, 3, 4);
  private static final ArraySpec SPEC = ArraySpec.of(TENSOR);
  private static final int NPY_HEADER = 128;

  @Override
  List<Sample> samples() {
    return List.of(
        new Sample("npy", Decoding.resource("big-endian.npy"), SPEC),
        new Sample("fortran", Decoding.resource("fortran.npy"), SPEC),
        new Sample("npz", Decoding.resource("deflated.npz"), SPEC),
        new Sample("npz of two", Decoding.resource("stored.npz"), SPEC.withMember("x")),
        new Sample("safetensors", safetensors("F32", "[2,3,4]", 0, 96, 96), SPEC));
  }

  @Test
  void whatNumpyWroteIsRead() throws Exception {
    for (String name :
        List.of("big-endian.npy", "fortran.npy", "version2.npy", "version3.npy", "deflated.npz")) {
      assertThat(decode(SPEC, Decoding.resource(name))).as(name).isEqualTo(counted());
    }
    assertThat(decode(SPEC.withMember("x"), Decoding.resource("stored.npz"))).isEqualTo(counted());
  }

  @Test
  void pythonIsNeverRun() {
    assertThat(fault(SPEC, Decoding.resource("objects.npy"))).isEqualTo(DecodeFault.UNSUPPORTED);
    List<String> headers =
        List.of(
            "{'descr': '<f4', 'fortran_order': False, 'shape': (2*3, 4)}",
            "{'descr': '<f4', 'fortran_order': 0, 'shape': (2, 3, 4)}",
            "{'descr': '<f4', 'fortran_order': False, 'shape': (24)}",
            "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3, 4), 'x': 1}",
            "{'descr': '<f4', 'fortran_order': False}",
            "{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (2, 3, 4)}",
            "{'descr': '\\x3cf4', 'fortran_order': False, 'shape': (2, 3, 4)}",
            "{'descr': '<f4', 'fortran_order': False, 'shape': (-2, 3, 4)}",
            "__import__('os')");
    for (String header : headers) {
      assertThat(fault(SPEC, npy(header, 96))).as(header).isEqualTo(DecodeFault.CORRUPT);
    }
    assertThat(
            fault(
                SPEC, npy("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (24,)}", 96)))
        .isEqualTo(DecodeFault.UNSUPPORTED);
  }

  @Test
  void allNumbersOfNumpyAreRead() throws Exception {
    for (DType dtype : DType.values()) {
      String letter = dtype.text().startsWith("f") ? "f" : dtype.text().startsWith("u") ? "u" : "i";
      byte[] file =
          npy(
              "{'descr': '>%s%d', 'fortran_order': False, 'shape': (1,), }"
                  .formatted(letter, dtype.bytes()),
              0,
              IntStream.range(0, dtype.bytes()).toArray());
      byte[] swapped = decode(ArraySpec.of(TensorSpec.plain(dtype, 1)), file);
      for (int i = 0; i < dtype.bytes(); i++) {
        assertThat(swapped[i]).isEqualTo((byte) (dtype.bytes() - 1 - i));
      }
    }
    byte[] bool = npy("{'descr': '|b1', 'fortran_order': False, 'shape': (2,), }", 0, 1, 0);
    assertThat(decode(ArraySpec.of(TensorSpec.plain(DType.UINT8, 2)), bool)).containsExactly(1, 0);
    byte[] scalar = npy("{'descr': '|u1', 'fortran_order': False, 'shape': (), }", 0, 9);
    assertThat(decode(ArraySpec.of(TensorSpec.plain(DType.UINT8)), scalar)).containsExactly(9);
  }

  @Test
  void anotherShapeOrTypeIsAMismatch() {
    byte[] file = Decoding.resource("version2.npy");
    assertThat(fault(ArraySpec.of(TensorSpec.plain(DType.FLOAT32, 24)), file))
        .isEqualTo(DecodeFault.MISMATCH);
    assertThat(fault(ArraySpec.of(TensorSpec.plain(DType.INT32, 2, 3, 4)), file))
        .isEqualTo(DecodeFault.MISMATCH);
    byte[] huge =
        npy(
            "{'descr': '<f4', 'fortran_order': False, 'shape': (%s, %s)}"
                .formatted("9".repeat(18), "9".repeat(18)),
            0);
    assertThat(fault(SPEC, huge)).isEqualTo(DecodeFault.MISMATCH);
  }

  @Test
  void membersAreFoundByName() {
    byte[] two = Decoding.resource("stored.npz");
    assertThat(fault(SPEC, two)).isEqualTo(DecodeFault.MISSING);
    assertThat(fault(SPEC.withMember("z"), two)).isEqualTo(DecodeFault.MISSING);
    byte[] one = safetensors("F32", "[2,3,4]", 0, 96, 96);
    assertThat(fault(SPEC.withMember("b"), one)).isEqualTo(DecodeFault.MISSING);
  }

  @Test
  void aZipBombIsNotUnpacked() throws Exception {
    byte[] zeros = new byte[8 << 20];
    var out = new java.io.ByteArrayOutputStream();
    try (var zip = new java.util.zip.ZipOutputStream(out)) {
      zip.putNextEntry(new java.util.zip.ZipEntry("x.npy"));
      zip.write(npy("{'descr': '|u1', 'fortran_order': False, 'shape': (8388608,)}", 0));
      zip.write(zeros);
    }
    ArraySpec fits = ArraySpec.of(TensorSpec.plain(DType.UINT8, 8 << 20));
    assertThat(fault(SPEC, out.toByteArray())).isEqualTo(DecodeFault.MISMATCH);
    assertThat(Decoding.fault(decoder(fits), out.toByteArray())).isEmpty();
    for (DecodeLimits limits :
        List.of(
            DecodeLimits.DEFAULTS.withExpansion(100),
            DecodeLimits.DEFAULTS.withExpandedBytes(1 << 20))) {
      assertThat(Decoding.fault(Decoders.of(fits, limits), out.toByteArray()))
          .contains(DecodeFault.TOO_LARGE);
    }
  }

  @Test
  void safetensorsKeepTheirOwnRules() {
    record Case(String header, int content, DecodeFault fault) {}
    String one = "{\"a\":{\"dtype\":\"U8\",\"shape\":[2],\"data_offsets\":[0,2]}";
    List<Case> cases =
        List.of(
            new Case(one + "}", 1, DecodeFault.TRUNCATED),
            new Case(one + "}", 3, DecodeFault.CORRUPT),
            new Case(one + "} x", 2, DecodeFault.CORRUPT),
            new Case(one.replace("[0,2]", "[1,3]") + "}", 3, DecodeFault.CORRUPT),
            new Case(one.replace("[0,2]", "[-1,2]") + "}", 2, DecodeFault.CORRUPT),
            new Case(one.replace("[2]", "[3]") + "}", 2, DecodeFault.CORRUPT),
            new Case(one.replace("U8", "F8_E4M3") + "}", 2, DecodeFault.UNSUPPORTED),
            new Case(one + "," + one.substring(1) + "}", 2, DecodeFault.CORRUPT),
            new Case(one + ",\"b\":" + one.substring(5) + "}", 2, DecodeFault.CORRUPT),
            new Case("{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":1}}}}}", 0, DecodeFault.CORRUPT));
    ArraySpec spec = ArraySpec.of(TensorSpec.plain(DType.UINT8, 2)).withMember("a");
    for (Case each : cases) {
      byte[] file = safetensors(each.header(), each.content());
      assertThat(fault(spec, file)).as(each.header()).isEqualTo(each.fault());
    }
    assertThat(
            Decoding.fault(
                decoder(spec),
                safetensors("{\"__metadata__\":{\"k\":\"v\"}," + one.substring(1) + "}  ", 2)))
        .isEmpty();
  }

  @Test
  void brainFloatsAreWidened() throws Exception {
    byte[] file = safetensors("BF16", "[1]", 0, 2, 0);
    byte[] whole = java.util.Arrays.copyOf(file, file.length + 2);
    // 1.5 is 0x3fc0
    whole[file.length] = (byte) 0xc0;
    whole[file.length + 1] = 0x3f;
    byte[] decoded = decode(ArraySpec.of(TensorSpec.plain(DType.FLOAT32, 1)), whole);
    assertThat(ByteBuffer.wrap(decoded).order(ByteOrder.LITTLE_ENDIAN).getFloat()).isEqualTo(1.5f);
  }

  @Test
  void aForcedFormatMustBeOneOfArrays() {
    assertThat(fault(SPEC.withFormat(ObjectFormat.NPZ), Decoding.resource("version2.npy")))
        .isEqualTo(DecodeFault.TRUNCATED);
    assertThatThrownBy(() -> SPEC.withFormat(ObjectFormat.PNG))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(fault(SPEC, "x,y\n1,2\n".getBytes(StandardCharsets.UTF_8)))
        .isEqualTo(DecodeFault.UNSUPPORTED);
  }

  private static Decoder decoder(ArraySpec spec) {
    return Decoders.of(spec, DecodeLimits.DEFAULTS);
  }

  private static byte[] decode(ArraySpec spec, byte[] bytes) throws DecodeException {
    return Decoding.run(decoder(spec), bytes, 0);
  }

  private static DecodeFault fault(ArraySpec spec, byte[] bytes) {
    return Decoding.fault(decoder(spec), bytes).orElseThrow();
  }

  private static byte[] counted() {
    ByteBuffer bytes = ByteBuffer.allocate(96).order(ByteOrder.LITTLE_ENDIAN);
    IntStream.range(0, 24).forEach(i -> bytes.putFloat(i));
    return bytes.array();
  }

  private static byte[] npy(String header, int zeros, int... content) {
    ByteBuffer bytes =
        ByteBuffer.allocate(NPY_HEADER + zeros + content.length).order(ByteOrder.LITTLE_ENDIAN);
    bytes.put(new byte[] {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0});
    bytes.putShort((short) (NPY_HEADER - 10));
    bytes.put(header.getBytes(StandardCharsets.ISO_8859_1));
    while (bytes.position() < NPY_HEADER) {
      bytes.put((byte) ' ');
    }
    for (int value : content) {
      bytes.put((byte) value);
    }
    return bytes.array();
  }

  private static byte[] safetensors(String type, String shape, int from, int to, int content) {
    String header =
        "{\"a\":{\"dtype\":\"%s\",\"shape\":%s,\"data_offsets\":[%d,%d]}}"
            .formatted(type, shape, from, to);
    return safetensors(header, content);
  }

  private static byte[] safetensors(String header, int content) {
    byte[] json = header.getBytes(StandardCharsets.UTF_8);
    ByteBuffer bytes =
        ByteBuffer.allocate(Long.BYTES + json.length + content).order(ByteOrder.LITTLE_ENDIAN);
    bytes.putLong(json.length).put(json);
    for (int i = 0; i < content; i++) {
      bytes.put((byte) i);
    }
    return bytes.array();
  }
}
