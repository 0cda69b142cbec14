package io.penstock.gateway.upstream.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.config.UpstreamConfig.PoolConfig;
import io.penstock.gateway.http.Cancellation;
import io.penstock.gateway.testing.FaultyPeer;
import io.penstock.gateway.testing.FaultyStore;
import io.penstock.gateway.testing.Gate;
import io.penstock.gateway.testing.LeakWatch;
import io.penstock.gateway.testing.SinkProbe;
import io.penstock.gateway.testing.SteeredBody;
import io.penstock.gateway.testing.TestTransport;
import io.penstock.gateway.upstream.UpstreamBody;
import io.penstock.gateway.upstream.UpstreamFailure;
import io.penstock.gateway.upstream.UpstreamObserver;
import io.penstock.gateway.upstream.UpstreamResponse;
import io.vertx.core.Future;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Connections and their pool against a store that misbehaves, on every transport there is. */
@ParameterizedClass
@MethodSource("io.penstock.gateway.testing.TestTransport#available")
@ExtendWith(LeakWatch.class)
class WirePoolIT {
  private final TestTransport transport;
  private WireLab lab;

  WirePoolIT(TestTransport transport) {
    this.transport = transport;
  }

  @BeforeEach
  void open() {
    lab = new WireLab(transport);
  }

  @AfterEach
  void close() throws Exception {
    lab.close();
  }

  @Test
  void reusesAConnection() throws Throwable {
    try (FaultyStore store = FaultyStore.start(FaultyStore.always(FaultyStore.ok("hello")))) {
      WirePool pool = lab.pool(store.port(), WireLab.USUAL);
      for (int i = 0; i < 3; i++) {
        UpstreamResponse response = lab.answer(pool, WireLab.get("/b/k" + i));
        assertThat(response.head().status()).isEqualTo(200);
        assertThat(response.body().length()).isEqualTo(5);
        assertThat(lab.read(response)).asString().isEqualTo("hello");
      }
      assertThat(store.connections()).isEqualTo(1);
      assertThat(store.requests().get(2)).startsWith("GET /b/k2 HTTP/1.1\r\nhost: store\r\n\r\n");
    }
  }

  @Test
  void deliversAHeadThatIsSplitAnywhere() throws Throwable {
    String response = "HTTP/1.1 206 Partial\r\nETag: \"x\"\r\nContent-Length: 4\r\n\r\nbody";
    try (FaultyStore store =
        FaultyStore.start(
            peer -> {
              for (int at = 1; peer.readRequest() != null; at++) {
                peer.send(response.substring(0, at));
                // the client's own acknowledgement delay must not merge the halves
                Thread.yield();
                peer.send(response.substring(at));
              }
            })) {
      WirePool pool = lab.pool(store.port(), WireLab.USUAL);
      for (int at = 1; at < response.length(); at++) {
        UpstreamResponse answer = lab.answer(pool, WireLab.get("/"));
        assertThat(answer.head().status()).isEqualTo(206);
        assertThat(answer.head().fields().get("etag")).contains("\"x\"");
        assertThat(lab.read(answer)).asString().isEqualTo("body");
      }
      assertThat(store.connections()).isEqualTo(1);
    }
  }

  @Test
  void repeatsARequestOnAFreshConnectionIfThePooledOneWasStale() throws Throwable {
    FaultyStore.Script leaves =
        peer -> {
          peer.readRequest();
          peer.send(FaultyStore.ok("first"));
          // takes the second request and dies on it
          peer.readRequest();
          peer.reset();
        };
    try (FaultyStore store =
        FaultyStore.start(leaves, FaultyStore.always(FaultyStore.ok("second")))) {
      WirePool pool = lab.pool(store.port(), WireLab.USUAL);
      assertThat(lab.read(lab.answer(pool, WireLab.get("/1")))).asString().isEqualTo("first");
      assertThat(lab.read(lab.answer(pool, WireLab.get("/2")))).asString().isEqualTo("second");
      assertThat(store.connections()).isEqualTo(2);
    }
  }

  @Test
  void doesNotRepeatWhatIsNotIdempotent() throws Throwable {
    FaultyStore.Script leaves =
        peer -> {
          peer.readRequest();
          peer.send(FaultyStore.ok("first"));
          peer.readRequest();
          peer.reset();
        };
    try (FaultyStore store = FaultyStore.start(leaves)) {
      WirePool pool = lab.pool(store.port(), WireLab.USUAL);
      lab.read(lab.answer(pool, WireLab.get("/1")));
      WireRequest post =
          WireLab.request(
              "POST", "/2", new UpstreamBody.Replayable(new byte[] {1}), false, new Cancellation());
      assertThatThrownBy(() -> lab.answer(pool, post))
          .isInstanceOf(UpstreamFailure.Broken.class)
          .matches(e -> ((UpstreamFailure) e).sent());
      assertThat(store.connections()).isEqualTo(1);
    }
  }

  @Test
  void noticesACloseWhileIdle() throws Throwable {
    Gate mayClose = new Gate();
    Gate closed = new Gate();
    FaultyStore.Script first =
        peer -> {
          peer.readRequest();
          peer.send(FaultyStore.ok("x"));
          mayClose.await();
          peer.close();
          closed.open();
        };
    CompletableFuture<Void> gone = new CompletableFuture<>();
    try (FaultyStore store = FaultyStore.start(first)) {
      WirePool pool =
          lab.pool(
              store.port(),
              WireLab.USUAL,
              new UpstreamObserver() {
                @Override
                public void connectionClosed(String endpoint) {
                  gone.complete(null);
                }
              });
      lab.read(lab.answer(pool, WireLab.get("/")));
      mayClose.open();
      closed.await();
      gone.get(Gate.PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }
  }

  @Test
  void closesIdleConnectionsBeforeTheStoreDoes() throws Throwable {
    CompletableFuture<FaultyPeer.End> end = new CompletableFuture<>();
    FaultyStore.Script script =
        peer -> {
          peer.readRequest();
          peer.send(FaultyStore.ok("x"));
          end.complete(peer.awaitEnd());
        };
    PoolConfig impatient =
        new PoolConfig(1, 1, Duration.ofSeconds(5), Duration.ofMillis(50), Duration.ofSeconds(5));
    try (FaultyStore store = FaultyStore.start(script)) {
      WirePool pool = lab.pool(store.port(), impatient);
      lab.read(lab.answer(pool, WireLab.get("/")));
      assertThat(end.get(20, TimeUnit.SECONDS)).isEqualTo(FaultyPeer.End.CLOSED);
      assertThat(lab.onLoop(pool::load)).isZero();
    }
  }

  @Test
  void deliversAnEarlyAnswerAndStopsTheBody() throws Throwable {
    FaultyStore.Script refuses =
        peer -> {
          peer.readHead();
          peer.send("HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\n\r\nno");
          peer.awaitEnd();
        };
    try (FaultyStore store = FaultyStore.start(refuses)) {
      WirePool pool = lab.pool(store.port(), WireLab.USUAL);
      SteeredBody body = new SteeredBody(1 << 30);
      UpstreamResponse response =
          lab.answer(pool, WireLab.put("/k", new UpstreamBody.Streaming(body, 1 << 30)));
      assertThat(response.head().status()).isEqualTo(403);
      assertThat(lab.read(response)).asString().isEqualTo("no");
      assertThat(body.isCancelled()).isTrue();
      assertThat(lab.onLoop(pool::load)).isZero();
    }
  }

  @Test
  void failsABodyThatDiesHalfway() throws Throwable {
    try (FaultyStore store =
        FaultyStore.start(
            peer -> {
              peer.readRequest();
              peer.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n12345");
            })) {
      WirePool pool = lab.pool(store.port(), WireLab.USUAL);
      UpstreamResponse response = lab.answer(pool, WireLab.get("/"));
      assertThatThrownBy(() -> lab.read(response))
          .isInstanceOf(UpstreamFailure.Broken.class)
          .hasMessageContaining("5 bytes early");
    }
  }

  @Test
  void failsABodyThatIsReset() throws Throwable {
    Gate read = new Gate();
    try (FaultyStore store =
        FaultyStore.start(
            peer -> {
              peer.readRequest();
              peer.send("HTTP/1.1 200 OK\r\n\r\nuntil close");
              read.await();
              peer.reset();
            })) {
      WirePool pool = lab.pool(store.port(), WireLab.USUAL);
      UpstreamResponse response = lab.answer(pool, WireLab.get("/"));
      assertThat(response.body().length()).isEqualTo(-1);
      SinkProbe sink = new SinkProbe().onData(read::open);
      lab.run(() -> response.body().start(sink));
      assertThatThrownBy(sink::await).isInstanceOf(UpstreamFailure.Broken.class);
    }
  }

  @Test
  void endsABodyAtAnOrderlyClose() throws Throwable {
    try (FaultyStore store =
        FaultyStore.start(
            peer -> {
              peer.readRequest();
              peer.send("HTTP/1.1 200 OK\r\n\r\nuntil close");
            })) {
      WirePool pool = lab.pool(store.port(), WireLab.USUAL);
      assertThat(lab.read(lab.answer(pool, WireLab.get("/")))).asString().isEqualTo("until close");
    }
  }

  @Test
  void doesNotReuseAConnectionWithExtraBytes() throws Throwable {
    try (FaultyStore store =
        FaultyStore.start(FaultyStore.always(FaultyStore.ok("x") + "HTTP/1.1 200 OK\r\n\r\n"))) {
      WirePool pool = lab.pool(store.port(), WireLab.USUAL);
      assertThat(lab.read(lab.answer(pool, WireLab.get("/1")))).asString().isEqualTo("x");
      assertThat(lab.read(lab.answer(pool, WireLab.get("/2")))).asString().isEqualTo("x");
      assertThat(store.connections()).isEqualTo(2);
    }
  }

  @Test
  void timesOutWaitingForAHead() throws Throwable {
    CompletableFuture<FaultyPeer.End> end = new CompletableFuture<>();
    try (FaultyStore store =
        FaultyStore.start(
            peer -> {
              peer.readRequest();
              end.complete(peer.awaitEnd());
            })) {
      WirePool pool = lab.pool(store.port(), impatient());
      assertThatThrownBy(() -> lab.answer(pool, WireLab.get("/")))
          .isInstanceOf(UpstreamFailure.TimedOut.class);
      assertThat(end.get(20, TimeUnit.SECONDS)).isEqualTo(FaultyPeer.End.RESET);
      assertThat(lab.onLoop(pool::load)).isZero();
    }
  }

  @Test
  void timesOutWhenABodyStallsButNotWhileItIsPaused() throws Throwable {
    Gate more = new Gate();
    try (FaultyStore store =
        FaultyStore.start(
            peer -> {
              peer.readRequest();
              peer.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n12345");
              more.await();
              peer.send("6789");
              peer.awaitEnd();
            })) {
      WirePool pool = lab.pool(store.port(), impatient());
      UpstreamResponse response = lab.answer(pool, WireLab.get("/"));
      SinkProbe sink = new SinkProbe();
      lab.run(
          () -> {
            sink.onData(() -> response.body().pause());
            response.body().start(sink);
          });
      // several times the timeout passes while the client does not read
      Future<Void> later =
          lab.onLoop(
              () -> {
                io.vertx.core.Promise<Void> p = io.vertx.core.Promise.promise();
                lab.transport().loop().schedule(() -> p.complete(), 500, TimeUnit.MILLISECONDS);
                return p.future();
              });
      WireLab.await(later);
      assertThat(sink.isDone()).isFalse();
      more.open();
      lab.run(
          () -> {
            sink.onData(() -> {});
            response.body().resume();
          });
      assertThatThrownBy(sink::await).isInstanceOf(UpstreamFailure.TimedOut.class);
      assertThat(sink.size()).isEqualTo(9);
    }
  }

  @Test
  void cancellingFreesTheSlotAtOnceAndResetsTheStore() throws Throwable {
    CompletableFuture<FaultyPeer.End> end = new CompletableFuture<>();
    try (FaultyStore store =
        FaultyStore.start(
            peer -> {
              peer.readRequest();
              peer.send("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nstart");
              end.complete(peer.awaitEnd());
            })) {
      WirePool pool = lab.pool(store.port(), WireLab.USUAL);
      UpstreamResponse response = lab.answer(pool, WireLab.get("/"));
      SinkProbe sink = new SinkProbe();
      int load =
          lab.onLoop(
              () -> {
                response.body().start(sink);
                sink.mustBeQuiet(true);
                response.body().cancel();
                response.body().cancel();
                return pool.load();
              });
      assertThat(load).isZero();
      assertThat(end.get(20, TimeUnit.SECONDS)).isEqualTo(FaultyPeer.End.RESET);
      assertThat(sink.isDone()).isFalse();
    }
  }

  @Test
  void cancellationBeforeTheHeadFailsTheCallAndResetsTheStore() throws Throwable {
    CompletableFuture<FaultyPeer.End> end = new CompletableFuture<>();
    Gate received = new Gate();
    try (FaultyStore store =
        FaultyStore.start(
            peer -> {
              peer.readRequest();
              received.open();
              end.complete(peer.awaitEnd());
            })) {
      WirePool pool = lab.pool(store.port(), WireLab.USUAL);
      Cancellation cancellation = new Cancellation();
      Future<UpstreamResponse> answer = lab.send(pool, WireLab.get("/", cancellation));
      received.await();
      lab.run(cancellation::cancel);
      assertThatThrownBy(() -> WireLab.await(answer))
          .isInstanceOf(UpstreamFailure.Cancelled.class)
          .matches(e -> ((UpstreamFailure) e).sent());
      assertThat(end.get(20, TimeUnit.SECONDS)).isEqualTo(FaultyPeer.End.RESET);
    }
  }

  @Test
  void limitsConnectionsAndWaitingCalls() throws Throwable {
    Gate mayAnswer = new Gate();
    PoolConfig small =
        new PoolConfig(1, 1, Duration.ofSeconds(5), Duration.ofSeconds(5), Duration.ofSeconds(15));
    try (FaultyStore store =
        FaultyStore.start(
            peer -> {
              while (peer.readRequest() != null) {
                mayAnswer.await();
                peer.send(FaultyStore.ok("x"));
              }
            })) {
      WirePool pool = lab.pool(store.port(), small);
      Future<UpstreamResponse> first = lab.send(pool, WireLab.get("/1"));
      Future<UpstreamResponse> second = lab.send(pool, WireLab.get("/2"));
      assertThatThrownBy(() -> lab.answer(pool, WireLab.get("/3")))
          .isInstanceOf(UpstreamFailure.Overloaded.class);
      mayAnswer.open();
      lab.read(WireLab.await(first));
      lab.read(WireLab.await(second));
      assertThat(store.connections()).isEqualTo(1);
    }
  }

  @Test
  void takesOnlySoMuchFromAFastStoreWhilePaused() throws Throwable {
    long size = 1L << 30;
    CompletableFuture<Long> sent = new CompletableFuture<>();
    try (FaultyStore store =
        FaultyStore.start(
            peer -> {
              peer.readRequest();
              peer.send("HTTP/1.1 200 OK\r\nContent-Length: " + size + "\r\n\r\n");
              sent.complete(peer.sendUpTo(size, 1 << 16));
            })) {
      WirePool pool = lab.pool(store.port(), WireLab.USUAL);
      UpstreamResponse response = lab.answer(pool, WireLab.get("/"));
      SinkProbe sink = new SinkProbe().counting();
      Gate once = new Gate();
      lab.run(
          () -> {
            sink.onData(
                () -> {
                  response.body().pause();
                  sink.mustBeQuiet(true);
                  once.open();
                });
            response.body().start(sink);
          });
      once.await();
      assertThat(sent.isDone()).isFalse();
      lab.run(() -> response.body().cancel());
      // what the kernel's two socket buffers hold, and no more
      assertThat(sent.get(20, TimeUnit.SECONDS)).isLessThan(size / 8);
      assertThat(sink.size()).isLessThanOrEqualTo(lab.transport().receiveBytes());
    }
  }

  @Test
  void sendsAStreamedBodyAndHoldsItsLastPieceBackUntilItsEnd() throws Throwable {
    CompletableFuture<FaultyPeer.End> end = new CompletableFuture<>();
    CompletableFuture<byte[]> received = new CompletableFuture<>();
    try (FaultyStore store =
        FaultyStore.start(
            peer -> {
              peer.readHead();
              received.complete(peer.read(4));
              end.complete(peer.awaitEnd());
            })) {
      WirePool pool = lab.pool(store.port(), WireLab.USUAL);
      SteeredBody body = new SteeredBody(8);
      Future<UpstreamResponse> answer =
          lab.send(pool, WireLab.put("/k", new UpstreamBody.Streaming(body, 8)));
      body.started().await();
      lab.run(() -> body.push("1234".getBytes(StandardCharsets.US_ASCII)));
      assertThat(received.get(20, TimeUnit.SECONDS)).asString().isEqualTo("1234");
      lab.run(() -> body.push("5678".getBytes(StandardCharsets.US_ASCII)));
      lab.run(() -> body.fail(new IllegalStateException("wrong checksum")));
      assertThatThrownBy(() -> WireLab.await(answer))
          .isInstanceOf(UpstreamFailure.BodyFailed.class)
          .hasMessageContaining("wrong checksum");
      assertThat(end.get(20, TimeUnit.SECONDS)).isEqualTo(FaultyPeer.End.RESET);
    }
  }

  @Test
  void sendsAWholeStreamedBody() throws Throwable {
    try (FaultyStore store =
        FaultyStore.start(
            peer -> {
              while (peer.readRequest() != null) {
                peer.send(FaultyStore.ok(new String(peer.body(), StandardCharsets.US_ASCII)));
              }
            })) {
      WirePool pool = lab.pool(store.port(), WireLab.USUAL);
      for (int i = 0; i < 2; i++) {
        SteeredBody body = new SteeredBody(8);
        Future<UpstreamResponse> answer =
            lab.send(pool, WireLab.put("/k", new UpstreamBody.Streaming(body, 8)));
        body.started().await();
        lab.run(
            () -> {
              body.push("1234".getBytes(StandardCharsets.US_ASCII));
              body.push("5678".getBytes(StandardCharsets.US_ASCII));
              body.end();
            });
        assertThat(lab.read(WireLab.await(answer))).asString().isEqualTo("12345678");
      }
      assertThat(store.connections()).isEqualTo(1);
      assertThat(store.requests().get(0)).contains("\r\ncontent-length: 8\r\n");
    }
  }

  @Test
  void aStoreThatIsNotThereIsUnreachable() throws Throwable {
    int port;
    try (FaultyStore store = FaultyStore.start(FaultyStore.always(""))) {
      port = store.port();
    }
    WirePool pool = lab.pool(port, WireLab.USUAL);
    assertThatThrownBy(() -> lab.answer(pool, WireLab.get("/")))
        .isInstanceOf(UpstreamFailure.Unreachable.class)
        .hasMessageContaining("http://127.0.0.1:" + port)
        .matches(e -> !((UpstreamFailure) e).sent());
    assertThat(lab.onLoop(pool::load)).isZero();
  }

  @Test
  void triesTheNextAddressIfOneRefuses() throws Throwable {
    // each call dials anew, so both orders of the addresses are tried
    String closing = "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 1\r\n\r\nx";
    try (FaultyStore store = FaultyStore.start(FaultyStore.always(closing))) {
      WireTransport plain = lab.transport();
      List<InetSocketAddress> addresses =
          List.of(
              new InetSocketAddress(InetAddress.getByName("127.0.0.2"), 0),
              new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0));
      WireTransport two =
          new WireTransport(
              plain.loop(),
              plain.channels(),
              plain.allocator(),
              (loop, host) -> loop.newSucceededFuture(addresses),
              plain.bound(),
              plain.receiveBytes(),
              plain.idleReadIsFree());
      WirePool pool =
          lab.track(
              new WirePool(
                  two,
                  new Endpoint(false, "store.example", store.port()),
                  Optional.empty(),
                  WireLab.USUAL,
                  UpstreamObserver.NONE));
      for (int i = 0; i < 2; i++) {
        assertThat(lab.read(lab.answer(pool, WireLab.get("/")))).asString().isEqualTo("x");
      }
      assertThat(store.connections()).isEqualTo(2);
    }
  }

  @Test
  void aCancelledCallLeavesTheQueue() throws Throwable {
    Gate mayAnswer = new Gate();
    PoolConfig one =
        new PoolConfig(1, 5, Duration.ofSeconds(5), Duration.ofSeconds(5), Duration.ofSeconds(15));
    try (FaultyStore store =
        FaultyStore.start(
            peer -> {
              while (peer.readRequest() != null) {
                mayAnswer.await();
                peer.send(FaultyStore.ok("x"));
              }
            })) {
      WirePool pool = lab.pool(store.port(), one);
      Future<UpstreamResponse> first = lab.send(pool, WireLab.get("/1"));
      Cancellation cancellation = new Cancellation();
      Future<UpstreamResponse> second = lab.send(pool, WireLab.get("/2", cancellation));
      Future<UpstreamResponse> third = lab.send(pool, WireLab.get("/3"));
      lab.run(cancellation::cancel);
      assertThatThrownBy(() -> WireLab.await(second))
          .isInstanceOf(UpstreamFailure.Cancelled.class)
          .matches(e -> !((UpstreamFailure) e).sent());
      mayAnswer.open();
      lab.read(WireLab.await(first));
      lab.read(WireLab.await(third));
      assertThat(store.requests()).hasSize(2).noneMatch(head -> head.contains("/2"));
    }
  }

  @Test
  void aClosedPoolTakesNoCallsAndEndsThoseThatWait() throws Throwable {
    try (FaultyStore store =
        FaultyStore.start(
            peer -> {
              peer.readRequest();
              peer.awaitEnd();
            })) {
      PoolConfig one =
          new PoolConfig(
              1, 5, Duration.ofSeconds(5), Duration.ofSeconds(5), Duration.ofSeconds(15));
      WirePool pool = lab.pool(store.port(), one);
      lab.send(pool, WireLab.get("/1"));
      Future<UpstreamResponse> waiting = lab.send(pool, WireLab.get("/2"));
      lab.run(pool::close);
      assertThatThrownBy(() -> WireLab.await(waiting))
          .isInstanceOf(UpstreamFailure.Unreachable.class);
      assertThatThrownBy(() -> lab.answer(pool, WireLab.get("/3")))
          .isInstanceOf(UpstreamFailure.Unreachable.class);
    }
  }

  private static PoolConfig impatient() {
    return new PoolConfig(
        4, 8, Duration.ofSeconds(5), Duration.ofSeconds(10), Duration.ofMillis(100));
  }
}
