package io.penstock.gateway.upstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.config.ByteSize;
import io.penstock.config.Secret;
import io.penstock.config.UpstreamConfig;
import io.penstock.config.UpstreamConfig.PoolConfig;
import io.penstock.config.UpstreamConfig.RetryConfig;
import io.penstock.gateway.http.Cancellation;
import io.penstock.gateway.read.fetch.ObjectFetcher;
import io.penstock.gateway.sigv4.Credential;
import io.penstock.gateway.testing.FaultyStore;
import io.penstock.gateway.testing.Gate;
import io.penstock.gateway.testing.SinkProbe;
import io.penstock.gateway.testing.SteeredBody;
import io.penstock.gateway.upstream.wire.ReceiveBound;
import io.penstock.gateway.upstream.wire.WireTransport;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.transport.Transport;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** The whole onion on the event loop of a Vert.x context, over every transport of Vert.x. */
@ParameterizedClass
@MethodSource("transports")
class UpstreamChannelsIT {
  private final Transport transport;
  private Vertx vertx;
  private Context context;

  UpstreamChannelsIT(Transport transport) {
    this.transport = transport;
  }

  static Stream<Transport> transports() {
    return Stream.of(Transport.NIO, Transport.EPOLL, Transport.IO_URING)
        .filter(transport -> transport != null && transport.available());
  }

  @BeforeEach
  void open() {
    vertx = Vertx.builder().withTransport(transport).build();
    context = vertx.getOrCreateContext();
  }

  @AfterEach
  void close() throws Exception {
    vertx.close().toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
  }

  private <T> T onLoop(Callable<T> action) throws Throwable {
    CompletableFuture<T> result = new CompletableFuture<>();
    context.runOnContext(
        _ -> {
          try {
            result.complete(action.call());
          } catch (Throwable e) {
            result.completeExceptionally(e);
          }
        });
    return get(result);
  }

  private static <T> T get(CompletableFuture<T> future) throws Throwable {
    try {
      return future.get(Gate.PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw e.getCause();
    }
  }

  private static <T> T await(Future<T> future) throws Throwable {
    return get(future.toCompletionStage().toCompletableFuture());
  }

  private UpstreamChannels.OpenChannel channel(URI... endpoints) throws Throwable {
    return channel(false, endpoints);
  }

  private UpstreamChannels.OpenChannel channel(boolean anonymous, URI... endpoints)
      throws Throwable {
    UpstreamConfig config =
        new UpstreamConfig(
            List.of(endpoints),
            "us-east-1",
            UpstreamConfig.Addressing.PATH,
            "AKID",
            new Secret("secret"),
            Optional.empty(),
            anonymous,
            new UpstreamConfig.TlsConfig(Optional.empty(), true),
            new PoolConfig(
                8, 8, Duration.ofSeconds(5), Duration.ofSeconds(10), Duration.ofSeconds(15)),
            new RetryConfig(3, Duration.ofMillis(1), Duration.ofMillis(20)),
            new UpstreamConfig.HedgeConfig(true, 2, Duration.ofMillis(10)),
            new UpstreamConfig.FanOutConfig(
                true, 16, new ByteSize(1 << 20), new ByteSize(1 << 20), new ByteSize(1 << 20)));
    Credential credential = new Credential("AKID", new Secret("secret"), Optional.empty());
    UpstreamChannels channels =
        new UpstreamChannels(
            config,
            () -> credential,
            InstantSource.system(),
            RandomGenerator.of("L64X128MixRandom"),
            UpstreamObserver.NONE);
    return onLoop(() -> channels.open(WireTransport.of(context, ReceiveBound.NONE)));
  }

  private byte[] read(UpstreamResponse response) throws Throwable {
    SinkProbe sink = new SinkProbe();
    onLoop(
        () -> {
          response.body().start(sink);
          return true;
        });
    return sink.await();
  }

  @Test
  void signsEachTryAfreshAndRetries() throws Throwable {
    try (FaultyStore store =
        FaultyStore.start(
            peer -> {
              peer.readRequest();
              peer.send("HTTP/1.1 503 Slow\r\nContent-Length: 4\r\n\r\nslow");
              peer.readRequest();
              peer.send(FaultyStore.ok("fine"));
              peer.awaitEnd();
            })) {
      UpstreamChannels.OpenChannel channel = channel(store.uri());
      UpstreamResponse response = await(onLoop(() -> channel.send(Requests.get("bucket", "a b"))));
      assertThat(read(response)).asString().isEqualTo("fine");
      assertThat(store.connections()).as("a short error is read out, not cut off").isEqualTo(1);
      assertThat(store.requests())
          .hasSize(2)
          .allSatisfy(
              head ->
                  assertThat(head)
                      .startsWith("GET /bucket/a%20b HTTP/1.1\r\nhost: 127.0.0.1:" + store.port())
                      .contains("authorization: AWS4-HMAC-SHA256 Credential=AKID/")
                      .contains("x-amz-content-sha256: UNSIGNED-PAYLOAD"));
    }
  }

  @Test
  void asksAPublicStoreWithoutAnySignature() throws Throwable {
    try (FaultyStore store = FaultyStore.start(FaultyStore.always(FaultyStore.ok("open")))) {
      UpstreamChannels.OpenChannel channel = channel(true, store.uri());
      UpstreamRequest ask = Requests.get("bucket", "a b");
      assertThat(read(await(onLoop(() -> channel.send(ask))))).asString().isEqualTo("open");
      assertThat(store.requests().getFirst())
          .startsWith("GET /bucket/a%20b HTTP/1.1\r\nhost: 127.0.0.1:" + store.port())
          .doesNotContainIgnoringCase("authorization")
          .doesNotContainIgnoringCase("x-amz-date")
          .doesNotContainIgnoringCase("x-amz-content-sha256");
    }
  }

  @Test
  void goesToTheOtherEndpointWhenOneIsGone() throws Throwable {
    URI gone;
    try (FaultyStore store = FaultyStore.start(FaultyStore.always(""))) {
      gone = store.uri();
    }
    try (FaultyStore store = FaultyStore.start(FaultyStore.always(FaultyStore.ok("x")))) {
      UpstreamChannels.OpenChannel channel = channel(gone, store.uri());
      for (int i = 0; i < 6; i++) {
        read(await(onLoop(() -> channel.send(Requests.get("b", "k")))));
      }
      assertThat(channel.toString())
          .isEqualTo(
              "Retry(Region(Hedge(Limit([Sign(Http("
                  + gone
                  + ")) ejected, Sign(Http("
                  + store.uri()
                  + "))]))))");
    }
  }

  @Test
  void resumesARealBreak() throws Throwable {
    String whole = "0123456789".repeat(20_000);
    FaultyStore.Script breaks =
        peer -> {
          peer.readRequest();
          peer.send("HTTP/1.1 200 OK\r\nETag: \"e\"\r\nContent-Length: 200000\r\n\r\n");
          peer.send(whole.substring(0, 70_000));
        };
    FaultyStore.Script rest =
        peer -> {
          String range = peer.readRequest().replaceAll("(?s).*bytes=([0-9]+)-.*", "$1");
          int from = Integer.parseInt(range);
          peer.send(
              "HTTP/1.1 206 Partial\r\nETag: \"e\"\r\nContent-Range: bytes %d-199999/200000\r\nContent-Length: %d\r\n\r\n"
                  .formatted(from, 200_000 - from));
          peer.send(whole.substring(from));
        };
    try (FaultyStore store = FaultyStore.start(breaks, rest)) {
      UpstreamChannels.OpenChannel channel = channel(store.uri());
      ObjectFetcher reader = new ObjectFetcher(channel, UpstreamObserver.NONE);
      UpstreamResponse response = await(onLoop(() -> reader.fetch(Requests.get("b", "k"))));
      assertThat(read(response)).asString().isEqualTo(whole);
      assertThat(store.requests().get(1)).contains("if-match: \"e\"").contains("x-amz-date");
    }
  }

  @Test
  void streamsAnUploadOnlyAsFastAsTheStoreTakesIt() throws Throwable {
    long size = 1L << 30;
    Gate read = new Gate();
    try (FaultyStore store =
        FaultyStore.start(
            peer -> {
              peer.readHead();
              read.await();
            })) {
      UpstreamChannels.OpenChannel channel = channel(store.uri());
      SteeredBody body = new SteeredBody(size);
      long[] pushed = new long[1];
      CompletableFuture<Long> stopped = new CompletableFuture<>();
      body.onResume(
          () -> {
            while (!body.isPaused() && pushed[0] < size) {
              pushed[0] += 1 << 16;
              body.push(new byte[1 << 16]);
            }
            stopped.complete(pushed[0]);
          });
      Cancellation cancellation = new Cancellation();
      Future<UpstreamResponse> answer =
          onLoop(
              () ->
                  channel.send(
                      Requests.of(
                          "PUT",
                          "b",
                          "k",
                          new UpstreamBody.Streaming(body, size),
                          true,
                          cancellation)));
      assertThat(get(stopped)).isLessThan(1 << 20);
      onLoop(
          () -> {
            cancellation.cancel();
            return true;
          });
      assertThatThrownBy(() -> await(answer)).isInstanceOf(UpstreamFailure.Cancelled.class);
      assertThat(body.isCancelled()).isTrue();
      read.open();
    }
  }

  @Test
  void manyCallsAtOnceKeepTheirAnswersApart() throws Throwable {
    FaultyStore.Script echo =
        peer -> {
          for (String head = peer.readRequest(); head != null; head = peer.readRequest()) {
            if (ThreadLocalRandom.current().nextInt(20) == 0) {
              peer.reset();
              return;
            }
            peer.send(FaultyStore.ok(head.substring(5, head.indexOf(" HTTP"))));
          }
        };
    try (FaultyStore store = FaultyStore.start(echo)) {
      UpstreamChannels.OpenChannel channel = channel(store.uri());
      int right = 0;
      for (int round = 0; round < 20; round++) {
        int first = round * 10;
        List<Future<UpstreamResponse>> answers =
            onLoop(
                () ->
                    Stream.iterate(first, i -> i + 1)
                        .limit(10)
                        .map(i -> channel.send(Requests.get("b", "key" + i)))
                        .toList());
        for (int i = 0; i < 10; i++) {
          try {
            assertThat(read(await(answers.get(i)))).asString().isEqualTo("b/key" + (first + i));
            right++;
          } catch (UpstreamFailure allowed) {
            // the retry budget may run out; a wrong answer may not happen
          }
        }
      }
      assertThat(right).isGreaterThan(150);
    }
  }
}
