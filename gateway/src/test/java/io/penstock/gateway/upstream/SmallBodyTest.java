package io.penstock.gateway.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.penstock.gateway.testing.SinkProbe;
import io.penstock.gateway.testing.SteeredBody;
import io.vertx.core.Future;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SmallBodyTest {
  @Test
  void readsAShortBody() {
    SteeredBody body = new SteeredBody(-1);
    Future<Optional<byte[]>> whole = SmallBody.read(body);
    body.push("ab".getBytes());
    body.push("c".getBytes());
    body.end();
    assertThat(whole.result())
        .hasValueSatisfying(bytes -> assertThat(bytes).asString().isEqualTo("abc"));
  }

  @Test
  void givesUpOnALongOneOfUnknownLength() {
    SteeredBody body = new SteeredBody(-1);
    Future<Optional<byte[]>> whole = SmallBody.read(body);
    ByteBuf piece = Unpooled.buffer(SmallBody.MOST + 1).writeZero(SmallBody.MOST + 1);
    body.push(piece);
    assertThat(whole.result()).isEmpty();
    assertThat(body.isCancelled()).isTrue();
    assertThat(piece.refCnt()).isZero();
  }

  @Test
  void discardsAShortBodyAndCancelsALongOne() {
    SteeredBody small = new SteeredBody(10);
    SmallBody.discard(small);
    ByteBuf piece = Unpooled.buffer(10).writeZero(10);
    small.push(piece);
    small.end();
    assertThat(piece.refCnt()).isZero();
    assertThat(small.isCancelled()).isFalse();
    SteeredBody large = new SteeredBody(SmallBody.MOST + 1);
    SmallBody.discard(large);
    assertThat(large.isCancelled()).isTrue();
  }

  @Test
  void aReadBodyHoldsItsEndBackWhilePaused() throws Throwable {
    SinkProbe sink = new SinkProbe();
    var body = SmallBody.of("x".getBytes());
    sink.onData(body::pause);
    body.start(sink);
    assertThat(sink.isDone()).isFalse();
    body.resume();
    assertThat(sink.await()).asString().isEqualTo("x");
  }
}
