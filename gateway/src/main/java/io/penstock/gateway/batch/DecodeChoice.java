package io.penstock.gateway.batch;

import io.penstock.arrow.decode.DecodeLimits;
import io.penstock.arrow.decode.DecodeSpec;
import io.penstock.arrow.decode.Decoders;
import io.penstock.arrow.decode.TableDecoder;
import io.penstock.arrow.decode.TensorDecoder;
import io.penstock.arrow.tensor.TensorField;
import io.penstock.arrow.wire.DecodeOptions;
import io.penstock.arrow.wire.DecodeRequest;
import io.penstock.arrow.wire.PayloadColumn;
import io.penstock.arrow.wire.TableShape;
import java.util.List;
import java.util.Optional;

/** What is made of the objects of one stream, as the request's {@code decode} says. */
sealed interface DecodeChoice {

  /** The payload columns; for tables, once the first one was decoded. */
  List<PayloadColumn> columns(TensorField.Form form);

  /** The bytes as they are. */
  record Raw() implements DecodeChoice {
    @Override
    public List<PayloadColumn> columns(TensorField.Form form) {
      return List.of(PayloadColumn.binary());
    }
  }

  /** One tensor an item. */
  record Tensors(TensorDecoder decoder) implements DecodeChoice {
    @Override
    public List<PayloadColumn> columns(TensorField.Form form) {
      return List.of(PayloadColumn.tensor(decoder.tensor(), form));
    }
  }

  /** A table an item. */
  record Tables(TableDecoder decoder, TableShape shape) implements DecodeChoice {
    @Override
    public List<PayloadColumn> columns(TensorField.Form form) {
      return shape.columns();
    }
  }

  /** The choice that a request makes, whose options were checked when it was read. */
  static DecodeChoice of(DecodeRequest request, DecodeLimits limits) {
    Optional<DecodeSpec> spec = DecodeOptions.spec(request);
    if (spec.isEmpty()) {
      return new Raw();
    }
    return switch (Decoders.of(spec.get(), limits)) {
      case TensorDecoder tensors -> new Tensors(tensors);
      case TableDecoder tables -> new Tables(tables, new TableShape());
    };
  }
}
