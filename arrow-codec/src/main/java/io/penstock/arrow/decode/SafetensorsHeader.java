package io.penstock.arrow.decode;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import io.penstock.arrow.tensor.DType;
import io.penstock.arrow.tensor.TensorSpec;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The header of a {@code safetensors} file: JSON that names every tensor's type, shape and place.
 * Held to the format's own rules: no name twice, no overlap, no gap, nothing outside of the file,
 * every length as shape and type say.
 */
record SafetensorsHeader(Map<String, Tensor> tensors, long contentAt) {

  /**
   * One tensor.
   *
   * @param type as the file names it
   * @param from first byte, counted from the end of the header
   * @param to byte after the last
   */
  record Tensor(String type, List<Long> shape, long from, long to) {

    StoredArray array() throws DecodeException {
      StoredArray.Element element =
          Optional.ofNullable(TYPES.get(type))
              .orElseThrow(
                  () ->
                      DecodeException.unsupported(
                          "tensors of type %s are not decoded"
                              .formatted(DecodeException.quoted(type))));
      StoredArray array = new StoredArray(element, shape, false);
      if (array.bytes() != to - from) {
        throw DecodeException.corrupt("a tensor's length is not that of its shape");
      }
      return array;
    }
  }

  private static final int MAX_BYTES = 32 << 20;
  private static final int MAX_DEPTH = 4;
  private static final String METADATA = "__metadata__";

  private static final JsonFactory JSON =
      JsonFactory.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .streamReadConstraints(StreamReadConstraints.builder().maxNestingDepth(MAX_DEPTH).build())
          .build();

  private static final Map<String, StoredArray.Element> TYPES =
      Map.ofEntries(
          Map.entry("BOOL", StoredArray.Element.plain(DType.UINT8)),
          Map.entry("U8", StoredArray.Element.plain(DType.UINT8)),
          Map.entry("I8", StoredArray.Element.plain(DType.INT8)),
          Map.entry("U16", StoredArray.Element.plain(DType.UINT16)),
          Map.entry("I16", StoredArray.Element.plain(DType.INT16)),
          Map.entry("U32", StoredArray.Element.plain(DType.UINT32)),
          Map.entry("I32", StoredArray.Element.plain(DType.INT32)),
          Map.entry("U64", StoredArray.Element.plain(DType.UINT64)),
          Map.entry("I64", StoredArray.Element.plain(DType.INT64)),
          Map.entry("F16", StoredArray.Element.plain(DType.FLOAT16)),
          Map.entry("F32", StoredArray.Element.plain(DType.FLOAT32)),
          Map.entry("F64", StoredArray.Element.plain(DType.FLOAT64)),
          Map.entry(
              "BF16",
              new StoredArray.Element(
                  DType.FLOAT32, ByteOrder.LITTLE_ENDIAN, StoredArray.Encoding.BFLOAT16)));

  static SafetensorsHeader read(MemorySegment bytes, DecodeLimits limits) throws DecodeException {
    ByteCursor cursor = new ByteCursor(bytes, 0);
    long length = cursor.u32(ByteOrder.LITTLE_ENDIAN);
    long high = cursor.u32(ByteOrder.LITTLE_ENDIAN);
    if (high != 0 || length > MAX_BYTES) {
      throw DecodeException.tooLarge(
          "a safetensors header has at most %d bytes".formatted(MAX_BYTES));
    }
    long at = cursor.at();
    cursor.skip(length);
    byte[] json = bytes.asSlice(at, length).toArray(ValueLayout.JAVA_BYTE);
    if (json.length == 0 || json[0] != '{') {
      throw DecodeException.corrupt("the safetensors header does not begin with {");
    }
    try (JsonParser parser = JSON.createParser(json)) {
      Map<String, Tensor> tensors = new Reader(parser, limits).tensors();
      checkPlaces(tensors, bytes.byteSize() - cursor.at());
      return new SafetensorsHeader(tensors, cursor.at());
    } catch (IOException e) {
      throw new DecodeException(
          DecodeFault.CORRUPT, "the safetensors header is not well-formed JSON", e);
    }
  }

  private static void checkPlaces(Map<String, Tensor> tensors, long content)
      throws DecodeException {
    List<Tensor> inOrder =
        tensors.values().stream()
            .sorted(Comparator.comparingLong(Tensor::from).thenComparingLong(Tensor::to))
            .toList();
    long end = 0;
    for (Tensor tensor : inOrder) {
      if (tensor.from() != end || tensor.to() < tensor.from()) {
        throw DecodeException.corrupt("the safetensors overlap or leave a gap at byte " + end);
      }
      end = tensor.to();
    }
    if (end > content) {
      throw DecodeException.truncated(
          "the safetensors end at byte %d of %d".formatted(content, end));
    }
    if (end < content) {
      throw DecodeException.corrupt("bytes follow the last of the safetensors");
    }
  }

  /** Reads the JSON token by token. */
  private static final class Reader {
    private final JsonParser parser;
    private final DecodeLimits limits;

    Reader(JsonParser parser, DecodeLimits limits) {
      this.parser = parser;
      this.limits = limits;
    }

    Map<String, Tensor> tensors() throws IOException, DecodeException {
      Map<String, Tensor> tensors = new LinkedHashMap<>();
      expect(JsonToken.START_OBJECT);
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        String name = parser.currentName();
        expect(JsonToken.START_OBJECT);
        if (name.equals(METADATA)) {
          parser.skipChildren();
          continue;
        }
        tensors.put(name, tensor());
        if (tensors.size() > limits.entries()) {
          throw DecodeException.tooLarge(
              "the file has more than %d tensors".formatted(limits.entries()));
        }
      }
      if (parser.nextToken() != null) {
        throw malformed();
      }
      return tensors;
    }

    private Tensor tensor() throws IOException, DecodeException {
      Optional<String> type = Optional.empty();
      Optional<List<Long>> shape = Optional.empty();
      List<Long> offsets = List.of();
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        switch (parser.currentName()) {
          case "dtype" -> {
            expect(JsonToken.VALUE_STRING);
            type = Optional.of(parser.getText());
          }
          case "shape" -> shape = Optional.of(numbers());
          case "data_offsets" -> offsets = numbers();
          default -> throw malformed();
        }
      }
      if (type.isEmpty() || shape.isEmpty() || offsets.size() != 2) {
        throw malformed();
      }
      return new Tensor(type.get(), shape.get(), offsets.getFirst(), offsets.getLast());
    }

    private List<Long> numbers() throws IOException, DecodeException {
      List<Long> numbers = new ArrayList<>();
      expect(JsonToken.START_ARRAY);
      while (parser.nextToken() == JsonToken.VALUE_NUMBER_INT) {
        long number = parser.getLongValue();
        if (number < 0 || numbers.size() == TensorSpec.MAX_DIMENSIONS) {
          throw malformed();
        }
        numbers.add(number);
      }
      if (parser.currentToken() != JsonToken.END_ARRAY) {
        throw malformed();
      }
      return List.copyOf(numbers);
    }

    private void expect(JsonToken wanted) throws IOException, DecodeException {
      if (parser.nextToken() != wanted) {
        throw malformed();
      }
    }

    private DecodeException malformed() {
      return DecodeException.corrupt(
          "the safetensors header names no tensors as the format wants it (byte %d)"
              .formatted(parser.currentTokenLocation().getByteOffset()));
    }
  }
}
