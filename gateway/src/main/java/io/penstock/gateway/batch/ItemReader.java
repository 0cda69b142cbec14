package io.penstock.gateway.batch;

import io.netty.buffer.ByteBuf;
import io.penstock.arrow.decode.DecodeLimits;
import io.penstock.arrow.decode.TarEntry;
import io.penstock.arrow.decode.TarIndex;
import io.penstock.arrow.wire.Item;
import io.penstock.arrow.wire.ItemStatus;
import io.penstock.config.TenantConfig.Access;
import io.penstock.gateway.exchange.Relay;
import io.penstock.gateway.http.Cancellation;
import io.penstock.gateway.http.HttpFields;
import io.penstock.gateway.read.ObjectReader;
import io.penstock.gateway.s3.AccessNeed;
import io.penstock.gateway.s3.Query;
import io.penstock.gateway.s3.S3Error;
import io.penstock.gateway.s3.S3Target;
import io.penstock.gateway.tenant.AccessDecision;
import io.penstock.gateway.tenant.Policy;
import io.penstock.gateway.upstream.UpstreamBody;
import io.penstock.gateway.upstream.UpstreamChannel;
import io.penstock.gateway.upstream.UpstreamRequest;
import io.penstock.gateway.upstream.UpstreamResponse;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads the items of one stream that its tenant may read; any other is an item that failed.
 *
 * <p>Threading: the event loop of the object reader.
 */
final class ItemReader {
  static final String OPERATION = "GetObject";
  static final String EMPTY_SHA256 =
      "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

  private final ObjectReader objects;
  private final UpstreamChannel store;
  private final Optional<Kept> kept;
  private final Archives archives;
  private final DecodeLimits limits;
  private final String bucket;
  private final Policy policy;
  private final Cancellation cancellation;

  /**
   * Where items are read from.
   *
   * @param limits of the archives whose members are asked for
   */
  record Origin(
      ObjectReader objects,
      UpstreamChannel store,
      Archives archives,
      DecodeLimits limits,
      Optional<Kept> kept) {}

  ItemReader(Origin origin, String bucket, Policy policy, Cancellation cancellation) {
    this.objects = origin.objects();
    this.store = origin.store();
    this.kept = origin.kept();
    this.archives = origin.archives();
    this.limits = origin.limits();
    this.bucket = bucket;
    this.policy = policy;
    this.cancellation = cancellation;
  }

  /** Starts the reading of an item; {@code read} hears of it, perhaps before this returns. */
  void start(Item item, ItemRead read) {
    AccessNeed need = AccessNeed.object(bucket, item.key(), Access.READ);
    if (policy.decide(List.of(need)) instanceof AccessDecision.Denied(var reason)) {
      read.fail(StoreAnswers.of(S3Error.ACCESS_DENIED, reason));
    } else if (item.member().isPresent()) {
      member(item, item.member().get(), read, true);
    } else if (kept.filter(it -> it.mayHave(item)).isPresent()) {
      made(item, read, kept.get());
    } else {
      object(item, read);
    }
  }

  private void object(Item item, ItemRead read) {
    Optional<String> range =
        item.range().map(part -> range(part.offset(), part.offset() + part.length() - 1));
    HttpFields fields = range.map(part -> HttpFields.of("range", part)).orElse(HttpFields.EMPTY);
    objects
        .read(get(bucket, item.key(), item.versionId(), fields, cancellation))
        .onComplete(answer -> read.answered(answer, range.isPresent()));
  }

  /** Takes what was made of the version that the store has now; if there is none, reads that. */
  private void made(Item item, ItemRead read, Kept features) {
    store
        .send(
            new UpstreamRequest(
                "HeadObject",
                "HEAD",
                target(bucket, item.key(), item.versionId()),
                HttpFields.EMPTY,
                new UpstreamBody.None(),
                EMPTY_SHA256,
                true,
                cancellation))
        .compose(
            answer -> {
              answer.body().start(Relay.IGNORE);
              return answer.head().status() == 200
                  ? features
                      .find(item, answer.head().fields())
                      .map(buffers -> buffers.map(it -> new Found(answer.head().fields(), it)))
                  : Future.succeededFuture(Optional.<Found>empty());
            })
        .recover(_ -> Future.succeededFuture(Optional.empty()))
        .onSuccess(
            found -> {
              if (found.isPresent()) {
                read.made(found.get().object(), found.get().features());
              } else {
                object(item, read);
              }
            });
  }

  /** What was made of an object that the store has described. */
  private record Found(HttpFields object, List<ByteBuf> features) {}

  /**
   * Reads a member as a range of its archive.
   *
   * @param again whether an index that turns out to be old is made anew
   */
  private void member(Item item, String member, ItemRead read, boolean again) {
    var archive = new Archives.Archive(bucket, item.key(), item.versionId());
    archives
        .index(archive, limits, cancellation)
        .onSuccess(index -> member(archive, index, member, read, again ? item : null))
        .onFailure(
            cause ->
                read.fail(
                    cause instanceof ItemFailedException failure
                        ? failure.status()
                        : StoreAnswers.failed(cause)));
  }

  private void member(
      Archives.Archive archive,
      ArchiveIndex index,
      String member,
      ItemRead read,
      @Nullable Item again) {
    Optional<TarEntry> entry = index.members().find(member);
    if (entry.isEmpty()) {
      read.fail(noSuchMember(index.members()));
      return;
    }
    if (entry.get().length() == 0) {
      read.empty(index.etag());
      return;
    }
    HttpFields fields = fields(entry.get(), index);
    objects
        .read(get(bucket, archive.key(), archive.versionId(), fields, cancellation))
        .onComplete(
            answer -> {
              if (again != null && isStale(answer)) {
                answer.result().body().cancel();
                archives.forget(archive, index);
                member(again, member, read, false);
              } else {
                read.answered(answer, true);
              }
            });
  }

  private static boolean isStale(AsyncResult<UpstreamResponse> answer) {
    return answer.succeeded()
        && (answer.result().head().status() == 412 || answer.result().head().status() == 416);
  }

  private static HttpFields fields(TarEntry entry, ArchiveIndex index) {
    return HttpFields.of(
        "range",
        range(entry.offset(), entry.offset() + entry.length() - 1),
        "if-match",
        index.etag());
  }

  private static String range(long first, long last) {
    return "bytes=" + first + "-" + last;
  }

  private static ItemStatus.Failed noSuchMember(TarIndex index) {
    String first =
        index.entries().isEmpty() ? "" : ", the first is " + index.entries().getFirst().name();
    return new ItemStatus.Failed(
        404,
        "NoSuchMember",
        "the archive has %d files, none of that name%s".formatted(index.entries().size(), first));
  }

  static UpstreamRequest get(
      String bucket,
      String key,
      Optional<String> versionId,
      HttpFields fields,
      Cancellation cancellation) {
    return new UpstreamRequest(
        OPERATION,
        "GET",
        target(bucket, key, versionId),
        fields,
        new UpstreamBody.None(),
        EMPTY_SHA256,
        true,
        cancellation);
  }

  private static S3Target target(String bucket, String key, Optional<String> versionId) {
    Query query =
        new Query(
            versionId.map(version -> new Query.Parameter("versionId", version)).stream().toList());
    return new S3Target(bucket, key, query);
  }
}
