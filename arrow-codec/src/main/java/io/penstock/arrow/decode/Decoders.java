package io.penstock.arrow.decode;

/** Makes the decoder for a spec. A new format is one decoder and one line here. */
public final class Decoders {

  private Decoders() {}

  public static Decoder of(DecodeSpec spec, DecodeLimits limits) {
    return switch (spec) {
      case ImageSpec image -> new ImageDecoder(image, limits);
      case ArraySpec array -> new ArrayDecoder(array, limits);
      case CsvSpec csv -> new CsvDecoder(csv, limits);
      case JsonLinesSpec lines -> new JsonLinesDecoder(lines, limits);
      case ParquetSpec parquet -> new ParquetDecoder(parquet, limits);
    };
  }

  /** The decoder of a spec that makes tensors. */
  public static TensorDecoder tensors(DecodeSpec spec, DecodeLimits limits) {
    return switch (of(spec, limits)) {
      case TensorDecoder decoder -> decoder;
      case TableDecoder _ ->
          throw new IllegalArgumentException("tables become columns, not tensors");
    };
  }
}
