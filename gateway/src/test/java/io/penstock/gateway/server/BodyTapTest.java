package io.penstock.gateway.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.DefaultLastHttpContent;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BodyTapTest {
  private final List<Object> passed = new ArrayList<>();
  private final List<ByteBuf> taken = new ArrayList<>();
  private final BodyTap tap = new BodyTap();
  private final List<Throwable> broken = new ArrayList<>();
  private boolean attachAtHead = true;
  private int readsCompleted;
  private int socketReads;
  private Consumer<ByteBuf> onBytes = _ -> {};
  private final EmbeddedChannel channel =
      new EmbeddedChannel(
          new ChannelOutboundHandlerAdapter() {
            @Override
            public void read(ChannelHandlerContext ctx) {
              socketReads++;
              ctx.read();
            }
          },
          tap,
          new ChannelInboundHandlerAdapter() {
            @Override
            public void channelRead(ChannelHandlerContext ctx, Object message) {
              passed.add(message);
              if (message instanceof HttpRequest && attachAtHead) {
                assertThat(tap.attach(BodyTapTest.this::take, broken::add)).isTrue();
              }
            }

            @Override
            public void channelReadComplete(ChannelHandlerContext ctx) {
              readsCompleted++;
              ctx.fireChannelReadComplete();
            }
          });

  @AfterEach
  void nothingLeaks() {
    channel.finishAndReleaseAll();
    taken.forEach(ByteBuf::release);
    passed.forEach(io.netty.util.ReferenceCountUtil::safeRelease);
  }

  @Test
  void bytesGoToTheBodyAndTheEndToTheServer() {
    channel.writeInbound(head(), content("ab"), lastContent("c"));
    assertThat(passed).hasSize(1);
    tap.resume();
    assertThat(text()).isEqualTo("abc");
    assertThat(passed).hasSize(2).last().isEqualTo(LastHttpContent.EMPTY_LAST_CONTENT);
  }

  @Test
  void aPausedBodyStopsTheSocketAndGetsNothing() {
    int before = socketReads;
    channel.writeInbound(head(), content("ab"));
    channel.read();
    assertThat(taken).isEmpty();
    assertThat(socketReads).isEqualTo(before);
    tap.resume();
    assertThat(text()).isEqualTo("ab");
    assertThat(socketReads).isEqualTo(before + 1);
    // Netty's io_uring channel loses data when this is switched off and on
    assertThat(channel.config().isAutoRead()).isTrue();
  }

  @Test
  void pausingInsideDeliveryIsStrict() {
    attachAtHead = false;
    EmbeddedChannel strict = new EmbeddedChannel();
    BodyTap own = new BodyTap();
    strict.pipeline().addLast(own);
    strict
        .pipeline()
        .addLast(
            new ChannelInboundHandlerAdapter() {
              @Override
              public void channelRead(ChannelHandlerContext ctx, Object message) {
                if (message instanceof HttpRequest) {
                  own.attach(
                      bytes -> {
                        taken.add(bytes);
                        own.pause();
                      },
                      broken::add);
                }
              }
            });
    strict.writeInbound(head(), content("a"), content("b"));
    own.resume();
    assertThat(text()).isEqualTo("a");
    own.resume();
    assertThat(text()).isEqualTo("ab");
    strict.finishAndReleaseAll();
  }

  @Test
  void anEndThatComesLaterThanItsReadIsAReadOfItsOwn() {
    // Vert.x flushes what it answers within a read only when that read is said to be complete
    channel.writeInbound(head(), lastContent("ab"));
    int before = readsCompleted;
    tap.resume();
    assertThat(passed).last().isEqualTo(LastHttpContent.EMPTY_LAST_CONTENT);
    assertThat(readsCompleted).isEqualTo(before + 1);
  }

  @Test
  void anEndWithinItsReadAddsNoReadToIt() {
    channel.writeInbound(head());
    tap.resume();
    int before = readsCompleted;
    channel.writeInbound(lastContent("ab"));
    assertThat(passed).last().isEqualTo(LastHttpContent.EMPTY_LAST_CONTENT);
    assertThat(readsCompleted).isEqualTo(before + 1);
  }

  @Test
  void aBodyThatIsPausedByItsLastBytesDoesNotStopTheNextRequest() {
    onBytes = bytes -> tap.pause();
    channel.writeInbound(head(), content("a"), lastContent("b"));
    int before = socketReads;
    channel.read();
    assertThat(socketReads).isEqualTo(before);
    tap.resume();
    tap.resume();
    assertThat(text()).isEqualTo("ab");
    assertThat(passed).hasSize(2);
    assertThat(socketReads).isEqualTo(before + 1);
  }

  @Test
  void aRequestThatWaitedInsideTheServerIsNotTapped() {
    attachAtHead = false;
    channel.writeInbound(head());
    assertThat(tap.attach(taken::add, broken::add)).isFalse();
    channel.writeInbound(content("ab"), lastContent(""));
    assertThat(taken).isEmpty();
    assertThat(passed).hasSize(3);
  }

  @Test
  void brokenFramingIsTheBodysFailure() {
    ByteBuf before = Unpooled.directBuffer().writeByte(1);
    DefaultHttpContent bad = new DefaultHttpContent(Unpooled.EMPTY_BUFFER);
    bad.setDecoderResult(DecoderResult.failure(new NumberFormatException("xyz")));
    channel.writeInbound(head(), new DefaultHttpContent(before));
    int reads = socketReads;
    channel.read();
    assertThat(socketReads).isEqualTo(reads);
    channel.writeInbound(bad);
    assertThat(broken).singleElement().isInstanceOf(NumberFormatException.class);
    assertThat(before.refCnt()).isZero();
    assertThat(passed).hasSize(1);
    // the read held back and the one after this message, so that the client's leaving is noticed
    assertThat(socketReads).isEqualTo(reads + 2);
  }

  @Test
  void aPipelinedRequestWaitsBehindABodyThatIsNotThrough() {
    HttpRequest first = head();
    HttpRequest second = head();
    channel.writeInbound(first, content("one"), lastContent("!"), second, content("two"));
    assertThat(passed).containsExactly(first);
    assertThat(taken).isEmpty();
    tap.resume();
    assertThat(text()).isEqualTo("one!");
    assertThat(passed).containsExactly(first, LastHttpContent.EMPTY_LAST_CONTENT, second);
    tap.resume();
    assertThat(text()).isEqualTo("one!two");
  }

  @Test
  void aClientThatTakesNoAnswersIsNotReadOn() {
    attachAtHead = false;
    channel.writeInbound(head(), lastContent(""));
    channel.unsafe().outboundBuffer().setUserDefinedWritability(1, false);
    int before = socketReads;
    channel.read();
    assertThat(socketReads).isEqualTo(before);
    channel.unsafe().outboundBuffer().setUserDefinedWritability(1, true);
    channel.runPendingTasks();
    assertThat(socketReads).isEqualTo(before + 1);
  }

  @Test
  void theNextRequestStartsUntapped() {
    channel.writeInbound(head(), lastContent("a"));
    tap.resume();
    attachAtHead = false;
    channel.writeInbound(head(), content("next"));
    assertThat(text()).isEqualTo("a");
    assertThat(passed).hasSize(4);
  }

  @Test
  void whatIsHeldIsReleasedWhenTheConnectionEnds() {
    ByteBuf bytes = Unpooled.directBuffer().writeByte(1);
    channel.writeInbound(head(), new DefaultHttpContent(bytes));
    assertThat(bytes.refCnt()).isOne();
    channel.close();
    assertThat(bytes.refCnt()).isZero();
  }

  private void take(ByteBuf bytes) {
    taken.add(bytes);
    onBytes.accept(bytes);
  }

  private String text() {
    StringBuilder text = new StringBuilder();
    taken.forEach(bytes -> text.append(bytes.toString(StandardCharsets.US_ASCII)));
    return text.toString();
  }

  private static HttpRequest head() {
    return new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.PUT, "/b/k");
  }

  private static DefaultHttpContent content(String text) {
    return new DefaultHttpContent(Unpooled.copiedBuffer(text, StandardCharsets.US_ASCII));
  }

  private static DefaultLastHttpContent lastContent(String text) {
    return new DefaultLastHttpContent(Unpooled.copiedBuffer(text, StandardCharsets.US_ASCII));
  }
}
