package io.penstock.gateway.batch;

import io.penstock.arrow.wire.Item;
import io.penstock.arrow.wire.ItemList;
import io.penstock.gateway.exchange.BodyCollector;
import io.penstock.gateway.http.Cancellation;
import io.penstock.gateway.http.HttpFields;
import io.penstock.gateway.s3.ListPage;
import io.penstock.gateway.s3.Query;
import io.penstock.gateway.s3.S3Error;
import io.penstock.gateway.s3.S3Exception;
import io.penstock.gateway.s3.S3Target;
import io.penstock.gateway.s3.S3Xml;
import io.penstock.gateway.upstream.UpstreamBody;
import io.penstock.gateway.upstream.UpstreamChannel;
import io.penstock.gateway.upstream.UpstreamRequest;
import io.penstock.gateway.upstream.UpstreamResponse;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Lists every key with a prefix, page after page, in the order of the store.
 *
 * <p>Threading: the event loop of the channel.
 */
final class PrefixListing {
  /** A page of a thousand keys of 1,024 bytes, each encoded threefold. */
  private static final long LONGEST_PAGE = 8 << 20;

  private final UpstreamChannel store;

  PrefixListing(UpstreamChannel store) {
    this.store = store;
  }

  Future<ItemList> list(String bucket, String prefix, int most, Cancellation cancellation) {
    Listing listing = new Listing(bucket, prefix, most, cancellation);
    return listing.from(Optional.empty());
  }

  private final class Listing {
    private final String bucket;
    private final String prefix;
    private final int most;
    private final Cancellation cancellation;
    private final ItemList.Builder items = new ItemList.Builder();

    Listing(String bucket, String prefix, int most, Cancellation cancellation) {
      this.bucket = bucket;
      this.prefix = prefix;
      this.most = most;
      this.cancellation = cancellation;
    }

    Future<ItemList> from(Optional<String> token) {
      return store
          .send(request(token))
          .compose(Listing::document)
          .compose(
              xml -> {
                ListPage page = S3Xml.listPage(xml);
                add(page);
                return page.next().isPresent()
                    ? from(page.next())
                    : Future.succeededFuture(items.build());
              });
    }

    private void add(ListPage page) {
      if (items.size() + page.keys().size() > most) {
        throw new S3Exception(
            S3Error.ENTITY_TOO_LARGE,
            "More than %d objects have that prefix (batch.max-items): take a longer one."
                .formatted(most));
      }
      page.keys().forEach(key -> items.add(Item.of(key)));
    }

    private static Future<byte[]> document(UpstreamResponse answer) {
      int status = answer.head().status();
      return BodyCollector.collect(answer.body(), LONGEST_PAGE)
          .compose(
              xml ->
                  status == 200
                      ? Future.succeededFuture(xml)
                      : Future.failedFuture(
                          ItemSources.refused("listing", StoreAnswers.refused(status, xml))));
    }

    private UpstreamRequest request(Optional<String> token) {
      List<Query.Parameter> query = new ArrayList<>();
      query.add(new Query.Parameter("list-type", "2"));
      query.add(new Query.Parameter("encoding-type", "url"));
      query.add(new Query.Parameter("prefix", prefix));
      token.ifPresent(next -> query.add(new Query.Parameter("continuation-token", next)));
      return new UpstreamRequest(
          "ListObjectsV2",
          "GET",
          new S3Target(bucket, "", new Query(query)),
          HttpFields.EMPTY,
          new UpstreamBody.None(),
          ItemReader.EMPTY_SHA256,
          true,
          cancellation);
    }
  }
}
