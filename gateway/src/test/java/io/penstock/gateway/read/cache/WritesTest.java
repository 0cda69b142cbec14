package io.penstock.gateway.read.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.penstock.dpu.memory.MemoryBudget;
import io.penstock.gateway.http.BodyStream;
import io.penstock.gateway.http.BytesStream;
import io.penstock.gateway.http.Cancellation;
import io.penstock.gateway.http.HttpFields;
import io.penstock.gateway.http.ResponseHead;
import io.penstock.gateway.read.plan.ReadAhead;
import io.penstock.gateway.s3.Query;
import io.penstock.gateway.s3.S3Target;
import io.penstock.gateway.upstream.UpstreamBody;
import io.penstock.gateway.upstream.UpstreamChannel;
import io.penstock.gateway.upstream.UpstreamFailure;
import io.penstock.gateway.upstream.UpstreamRequest;
import io.penstock.gateway.upstream.UpstreamResponse;
import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A write that may still happen keeps what it names out of the cache for a minute. */
class WritesTest {
  private static final long MINUTE = Duration.ofMinutes(1).toNanos();
  private static final long NOW = -5;
  private static final String DELETE_KEY = "<Delete><Object><Key>key</Key></Object></Delete>";
  private static final String DELETE_VERSION =
      "<Delete><Object><Key>key</Key><VersionId>v</VersionId></Object></Delete>";

  private static final DiskBlocks NO_DISK = new DiskBlocks(Optional.empty());

  private final ObjectTable table =
      new ObjectTable(
          new BlockCache(
              MemoryBudget.of(64 << 20),
              ByteBufAllocator.DEFAULT,
              1 << 20,
              NO_DISK,
              CacheObserver.NONE),
          64 << 10,
          16,
          length -> new ReadAhead(new ReadAhead.Settings(64 << 10, 0), length),
          CacheObserver.NONE);
  private final Writes writes = new Writes(table, NO_DISK, () -> NOW);

  private void send(UpstreamRequest request, UpstreamChannel store) {
    writes
        .watch(store)
        .send(request)
        .onSuccess(
            response ->
                response
                    .body()
                    .start(
                        new BodyStream.Sink() {
                          @Override
                          public void data(ByteBuf buffer) {
                            buffer.release();
                          }

                          @Override
                          public void end() {}

                          @Override
                          public void failed(Throwable cause) {}
                        }));
  }

  private static UpstreamRequest request(String method, String key, String body) {
    Query query =
        key.isEmpty()
            ? new Query(List.of(new Query.Parameter("delete", "")))
            : new Query(List.of());
    return new UpstreamRequest(
        "Write",
        method,
        new S3Target("bkt", key, query),
        HttpFields.EMPTY,
        new UpstreamBody.Replayable(body.getBytes(StandardCharsets.UTF_8)),
        "",
        true,
        new Cancellation());
  }

  private static UpstreamChannel answering(int status) {
    return _ ->
        Future.succeededFuture(
            new UpstreamResponse(
                new ResponseHead(status, HttpFields.EMPTY), new BytesStream(new byte[] {1})));
  }

  private static UpstreamChannel breaking() {
    return _ -> Future.failedFuture(new UpstreamFailure.Broken("gone", true));
  }

  private boolean isOpen(String bucket, String key, String version, long nanos) {
    return table.epoch(new ObjectName(bucket, key, version), nanos) != ObjectTable.CLOSED;
  }

  @ParameterizedTest
  @ValueSource(ints = {500, 502, 503, 504})
  void anAnswerThatDoesNotSayWhetherItHappenedIsNotTrusted(int status) {
    send(request("PUT", "key", ""), answering(status));
    assertThat(isOpen("bkt", "key", "", NOW + MINUTE - 1)).isFalse();
    assertThat(isOpen("bkt", "key", "", NOW + MINUTE)).isTrue();
    assertThat(isOpen("bkt", "other", "", NOW)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(ints = {200, 204, 403, 404, 412})
  void anAnswerThatSaysSoEndsTheDoubt(int status) {
    long before = table.epoch(new ObjectName("bkt", "key", ""), NOW);
    send(request("PUT", "key", ""), answering(status));
    assertThat(isOpen("bkt", "key", "", NOW)).isTrue();
    assertThat(table.epoch(new ObjectName("bkt", "key", ""), NOW)).isNotEqualTo(before);
  }

  @Test
  void aBrokenDeleteOfVersionsClosesTheBucket() {
    send(request("POST", "", DELETE_VERSION), breaking());
    assertThat(isOpen("bkt", "key", "", NOW)).isFalse();
    assertThat(isOpen("bkt", "key", "v", NOW + MINUTE - 1)).isFalse();
    assertThat(isOpen("bkt", "key", "v", NOW + MINUTE)).isTrue();
    assertThat(isOpen("elsewhere", "key", "v", NOW)).isTrue();
  }

  @Test
  void aBrokenDeleteOfKeysClosesTheKeys() {
    send(request("POST", "", DELETE_KEY), breaking());
    assertThat(isOpen("bkt", "key", "", NOW)).isFalse();
    assertThat(isOpen("bkt", "other", "", NOW)).isTrue();
  }

  /** Named versions of a key are closed with it. */
  @Test
  void aBrokenDeleteOfOneKeyClosesItsVersions() {
    send(request("DELETE", "key", ""), breaking());
    assertThat(isOpen("bkt", "key", "v", NOW)).isFalse();
  }
}
