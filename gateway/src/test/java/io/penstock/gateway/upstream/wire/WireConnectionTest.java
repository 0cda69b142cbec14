package io.penstock.gateway.upstream.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.ReferenceCountUtil;
import io.penstock.gateway.http.Cancellation;
import io.penstock.gateway.testing.SinkProbe;
import io.penstock.gateway.testing.SteeredBody;
import io.penstock.gateway.upstream.UpstreamBody;
import io.penstock.gateway.upstream.UpstreamFailure;
import io.penstock.gateway.upstream.UpstreamResponse;
import io.vertx.core.Future;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What timing on a real socket cannot show reliably, on a channel without one. */
class WireConnectionTest {
  private final FailingWrites writes = new FailingWrites();
  private final Pool pool = new Pool();
  private final EmbeddedChannel channel = new EmbeddedChannel(writes);
  private final WireConnection connection = connection(channel);

  private WireConnection connection(EmbeddedChannel to) {
    WireConnection made =
        new WireConnection(
            to,
            pool,
            new ReceiveSize(1 << 16, ReceiveBound.NONE, new ResponseSizes(1 << 16), false),
            true,
            Duration.ofMinutes(1));
    to.pipeline().addLast(made);
    return made;
  }

  private static final class FailingWrites extends ChannelOutboundHandlerAdapter {
    private boolean failing;

    @Override
    public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
      if (failing) {
        ReferenceCountUtil.release(message);
        promise.setFailure(new IOException("Broken pipe"));
      } else {
        ctx.write(message, promise);
      }
    }
  }

  private static final class Pool implements WireConnection.Owner {
    private final List<WireCall> repeated = new ArrayList<>();
    private int released;
    private int closed;

    @Override
    public void released(WireConnection connection) {
      released++;
    }

    @Override
    public void closed(WireConnection connection) {
      closed++;
    }

    @Override
    public void repeat(WireCall call) {
      repeated.add(call);
    }

    @Override
    public void sent(long bytes) {}

    @Override
    public void received(long bytes) {}
  }

  private static WireCall call(WireRequest request) {
    WireCall call = new WireCall(request, _ -> {});
    call.watchCancellation();
    return call;
  }

  private static WireCall put(SteeredBody body) {
    return call(WireLab.put("/k", new UpstreamBody.Streaming(body, body.length())));
  }

  private Future<UpstreamResponse> send(WireCall call) {
    connection.send(call);
    return call.answer();
  }

  private void receive(String text) {
    channel.writeInbound(Unpooled.copiedBuffer(text, StandardCharsets.ISO_8859_1));
  }

  private static String sent(EmbeddedChannel channel) {
    channel.runPendingTasks();
    StringBuilder all = new StringBuilder();
    for (ByteBuf piece = channel.readOutbound(); piece != null; piece = channel.readOutbound()) {
      all.append(piece.toString(StandardCharsets.ISO_8859_1));
      piece.release();
    }
    return all.toString();
  }

  /** After this the connection counts as used before. */
  private void use() throws Throwable {
    Future<UpstreamResponse> answer = send(call(WireLab.get("/first")));
    receive("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
    answer.result().body().start(new SinkProbe());
    sent(channel);
    assertThat(pool.released).isEqualTo(1);
  }

  @Test
  void anAnswerIsReadThoughTheStoreTakesNoMoreBytes() throws Throwable {
    SteeredBody body = new SteeredBody(100);
    Future<UpstreamResponse> answer = send(put(body));
    body.push(new byte[10]);
    sent(channel);
    writes.failing = true;
    body.push(new byte[10]);
    channel.runPendingTasks();
    assertThat(body.isPaused()).isTrue();
    assertThat(answer.isComplete()).isFalse();
    receive("HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\n\r\nno");
    SinkProbe sink = new SinkProbe();
    answer.result().body().start(sink);
    assertThat(sink.await()).asString().isEqualTo("no");
    assertThat(body.isCancelled()).isTrue();
    assertThat(pool.closed).isEqualTo(1);
    assertThat(pool.released).isZero();
  }

  @Test
  void whatNeverLeftAStaleConnectionIsRepeatedEvenIfNotIdempotent() throws Throwable {
    use();
    writes.failing = true;
    WireCall post =
        call(
            WireLab.request(
                "POST", "/", new UpstreamBody.Replayable(new byte[3]), false, new Cancellation()));
    send(post);
    channel.close();
    assertThat(pool.repeated).containsExactly(post);
    assertThat(post.answer().isComplete()).isFalse();
  }

  @Test
  void whatMayHaveArrivedIsNotRepeatedIfNotIdempotent() throws Throwable {
    use();
    WireCall post =
        call(
            WireLab.request(
                "POST", "/", new UpstreamBody.Replayable(new byte[3]), false, new Cancellation()));
    send(post);
    assertThat(sent(channel)).contains("content-length: 3");
    channel.close();
    assertThat(pool.repeated).isEmpty();
    assertThat(post.answer().cause()).isInstanceOf(UpstreamFailure.Broken.class);
  }

  @Test
  void aStreamThatWasNotTouchedGoesOutOnTheNextConnection() throws Throwable {
    use();
    SteeredBody body = new SteeredBody(4);
    WireCall put = put(body);
    send(put);
    channel.close();
    assertThat(pool.repeated).containsExactly(put);
    assertThat(body.isPaused()).isTrue();
    EmbeddedChannel fresh = new EmbeddedChannel();
    connection(fresh).send(put);
    assertThat(body.isPaused()).isFalse();
    body.push("body".getBytes(StandardCharsets.ISO_8859_1));
    body.end();
    assertThat(sent(fresh)).startsWith("PUT /k").endsWith("\r\n\r\nbody");
    assertThat(put.answer().isComplete()).isFalse();
  }

  @Test
  void aStreamThatWasTouchedDoesNot() throws Throwable {
    use();
    SteeredBody body = new SteeredBody(4);
    WireCall put = put(body);
    send(put);
    body.push(new byte[1]);
    channel.close();
    assertThat(pool.repeated).isEmpty();
    assertThat(put.answer().cause())
        .isInstanceOf(UpstreamFailure.Broken.class)
        .matches(e -> ((UpstreamFailure) e).sent());
    assertThat(body.isCancelled()).isTrue();
  }

  @Test
  void anEmptyStreamIsSentOnlyWhenItHasEndedWell() {
    SteeredBody good = new SteeredBody(0);
    send(put(good));
    assertThat(sent(channel)).isEmpty();
    good.end();
    assertThat(sent(channel)).startsWith("PUT /k").contains("content-length: 0\r\n");
  }

  @Test
  void anEmptyStreamThatFailsIsNeverSent() {
    SteeredBody bad = new SteeredBody(0);
    Future<UpstreamResponse> answer = send(put(bad));
    bad.fail(new IllegalStateException("bad trailer"));
    assertThat(sent(channel)).isEmpty();
    assertThat(answer.cause()).isInstanceOf(UpstreamFailure.BodyFailed.class);
    assertThat(channel.isOpen()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 5})
  void aBodyOfAnotherLengthIsNeverCompleted(int actual) {
    SteeredBody body = new SteeredBody(4);
    Future<UpstreamResponse> answer = send(put(body));
    body.push(new byte[actual]);
    if (actual < 4) {
      body.end();
    }
    assertThat(answer.cause())
        .isInstanceOf(UpstreamFailure.BodyFailed.class)
        .hasMessageContaining("4 bytes");
    assertThat(channel.isOpen()).isFalse();
    assertThat(body.isCancelled()).isEqualTo(actual > 4);
  }

  @Test
  void anAnswerToAWholeRequestKeepsTheConnection() throws Throwable {
    SteeredBody body = new SteeredBody(4);
    Future<UpstreamResponse> answer = send(put(body));
    body.push(new byte[4]);
    body.end();
    receive("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
    assertThat(answer.result().head().status()).isEqualTo(200);
    assertThat(pool.released).isEqualTo(1);
    assertThat(body.isCancelled()).isFalse();
  }

  @Test
  void aRequestThatCannotBeWrittenLeavesTheConnectionUsable() {
    WireCall bad = call(WireLab.get("/a b"));
    assertThat(send(bad).cause()).isInstanceOf(IllegalArgumentException.class);
    assertThat(pool.released).isEqualTo(1);
    assertThat(channel.isOpen()).isTrue();
    assertThat(sent(channel)).isEmpty();
  }

  @Test
  void theNextRequestMayStartFromWithinTheEndOfTheLast() throws Throwable {
    Future<UpstreamResponse> first = send(call(WireLab.get("/1")));
    WireCall second = call(WireLab.get("/2"));
    SinkProbe sink = new SinkProbe();
    receive("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n");
    first.result().body().start(sink);
    sink.onData(() -> connection.demanded());
    receive("abc");
    assertThat(sink.await()).asString().isEqualTo("abc");
    connection.send(second);
    receive("HTTP/1.1 204 No Content\r\n\r\n");
    assertThat(second.answer().result().head().status()).isEqualTo(204);
    assertThat(pool.released).isEqualTo(2);
  }

  @Test
  void bytesNobodyAskedForCloseAnIdleConnection() throws Throwable {
    use();
    receive("HTTP/1.1 408 Request Timeout\r\n\r\n");
    assertThat(pool.closed).isEqualTo(1);
    assertThat(channel.isOpen()).isFalse();
  }

  @Test
  void aSinkThatThrowsBreaksOnlyItsOwnResponse() {
    Future<UpstreamResponse> answer = send(call(WireLab.get("/")));
    receive("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n");
    SinkProbe sink = new SinkProbe();
    sink.onData(
        () -> {
          throw new IllegalStateException("sink");
        });
    answer.result().body().start(sink);
    receive("abc");
    assertThat(sink.isDone()).isTrue();
    assertThat(pool.closed).isEqualTo(1);
  }

  /** With io_uring a read that was under way may still bring bytes. */
  @Test
  void whatArrivesAfterTheEndIsReleased() {
    ChannelHandlerContext context = channel.pipeline().context(connection);
    WireCall call = call(WireLab.get("/"));
    send(call);
    connection.breakOff(new UpstreamFailure.Cancelled(true));
    ByteBuf late =
        Unpooled.copiedBuffer(
            "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc", StandardCharsets.US_ASCII);
    connection.channelRead(context, late);
    assertThat(late.refCnt()).isZero();
    assertThat(call.answer().failed()).isTrue();
  }
}
