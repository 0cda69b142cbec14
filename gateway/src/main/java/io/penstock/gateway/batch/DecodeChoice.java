package io.penstock.gateway.batch;

import io.penstock.arrow.decode.DecodeLimits;
import io.penstock.arrow.decode.DecodeSpec;
import io.penstock.arrow.decode.Decoders;
import io.penstock.arrow.decode.TableSpec;
import io.penstock.arrow.decode.TensorDecoder;
import io.penstock.arrow.tensor.TensorField;
import io.penstock.arrow.wire.DecodeOptions;
import io.penstock.arrow.wire.DecodeRequest;
import io.penstock.arrow.wire.PayloadColumn;
import io.penstock.gateway.s3.S3Error;
import io.penstock.gateway.s3.S3Exception;
import java.util.Optional;

/** What is made of the objects of one stream, as the request's {@code decode} says. */
sealed interface DecodeChoice {

  PayloadColumn column(TensorField.Form form);

  /** The bytes as they are. */
  record Raw() implements DecodeChoice {
    @Override
    public PayloadColumn column(TensorField.Form form) {
      return PayloadColumn.binary();
    }
  }

  /** One tensor an item. */
  record Tensors(TensorDecoder decoder) implements DecodeChoice {
    @Override
    public PayloadColumn column(TensorField.Form form) {
      return PayloadColumn.tensor(decoder.tensor(), form);
    }
  }

  /**
   * The choice that a request makes, whose options were checked when it was read.
   *
   * @throws S3Exception NotImplemented for tables
   */
  static DecodeChoice of(DecodeRequest request, DecodeLimits limits) {
    Optional<DecodeSpec> spec = DecodeOptions.spec(request);
    if (spec.isEmpty()) {
      return new Raw();
    }
    if (spec.get() instanceof TableSpec) {
      throw new S3Exception(
          S3Error.NOT_IMPLEMENTED,
          "/decode: tables are not served yet: ask for \"raw\" and decode them yourself.");
    }
    return new Tensors(Decoders.tensors(spec.get(), limits));
  }
}
