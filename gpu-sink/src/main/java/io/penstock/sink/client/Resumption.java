package io.penstock.sink.client;

import io.penstock.arrow.decode.TableSpec;
import io.penstock.arrow.epoch.EpochSpec;
import io.penstock.arrow.wire.BatchRequest;
import io.penstock.arrow.wire.DecodeOptions;
import io.penstock.arrow.wire.Delivery;
import java.util.Optional;

/**
 * How a stream that broke is asked for again. The rest of a list is asked for as an epoch that is
 * not shuffled: it has the same batches in the same order, and can begin anywhere.
 */
final class Resumption {
  private Resumption() {}

  /**
   * Whether the rest can be told from what came: not if items come as they are ready, because the
   * next stream has others in its batches; not with tables, whose batches do not tell whether their
   * items were all.
   */
  static boolean possible(BatchRequest request) {
    boolean tables =
        DecodeOptions.spec(request.decode()).filter(TableSpec.class::isInstance).isPresent();
    boolean ordered =
        request.epoch().isPresent() || request.delivery().order() == Delivery.Order.STRICT;
    return ordered && !tables;
  }

  /** The batch with which the request begins. */
  static long first(BatchRequest request) {
    return request.epoch().map(EpochSpec::resumeAt).orElse(0L);
  }

  /** The request for everything from that batch on. */
  static BatchRequest at(BatchRequest request, long batch) {
    if (batch == first(request)) {
      return request;
    }
    EpochSpec whole =
        request
            .epoch()
            .orElse(
                new EpochSpec(
                    new EpochSpec.Listed(), new EpochSpec.Share(0, 1), EpochSpec.Tail.KEEP, 0));
    return new BatchRequest(
        request.bucket(),
        request.source(),
        request.decode(),
        request.delivery(),
        Optional.of(new EpochSpec(whole.order(), whole.share(), whole.tail(), batch)),
        request.transform());
  }
}
