package io.penstock.dpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.Channel;
import io.penstock.config.RuntimeConfig;
import io.penstock.dpu.cpu.CpuPlan;
import io.penstock.dpu.cpu.ThreadPinner;
import io.penstock.dpu.platform.CpuSet;
import io.penstock.dpu.platform.PlatformProbe;
import io.penstock.dpu.transport.LoopbackProof;
import io.penstock.dpu.transport.NettySettings;
import io.penstock.dpu.transport.TransportChoice;
import io.penstock.dpu.transport.TransportKind;
import io.penstock.dpu.transport.TransportSelector;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.internal.net.NetSocketInternal;
import io.vertx.core.net.NetServer;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every transport serves real requests over the loopback interface. */
class VertxFactoryIT {
  private final CpuSet usable = PlatformProbe.here().affinity().orElseThrow();
  private Vertx vertx;

  @BeforeAll
  static void beforeNettyIsLoaded() {
    new NettySettings(2).apply(System.getProperties());
  }

  @AfterEach
  void close() throws Exception {
    await(vertx.close());
  }

  private static <T> T await(Future<T> future) throws Exception {
    return future.toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
  }

  private TransportChoice start(TransportKind kind, boolean pinned) {
    CpuPlan plan =
        CpuPlan.of(usable, OptionalDouble.empty(), new CpuPlan.Wishes(Optional.of(2), pinned));
    TransportChoice choice =
        new TransportSelector(new LoopbackProof(plan.eventLoops(), 5_000))
            .select(RuntimeConfig.Transport.valueOf(kind.name()));
    vertx = new VertxFactory(plan, choice, new ThreadPinner()).create();
    return choice;
  }

  @ParameterizedTest
  @EnumSource
  void aForcedTransportServesARequest(TransportKind kind) throws Exception {
    TransportChoice choice = start(kind, false);
    assertThat(choice.kind()).isEqualTo(kind);
    byte[] body = new byte[3 << 20];
    for (int i = 0; i < body.length; i++) {
      body[i] = (byte) (i * 31);
    }
    HttpServer server =
        await(
            vertx
                .createHttpServer()
                .requestHandler(
                    request ->
                        request
                            .body()
                            .onSuccess(
                                bytes ->
                                    request
                                        .response()
                                        .putHeader("thread", Thread.currentThread().getName())
                                        .end(bytes)))
                .listen(0, "127.0.0.1"));
    URI uri = URI.create("http://127.0.0.1:" + server.actualPort() + "/");
    HttpClient client = HttpClient.newHttpClient();
    try {
      HttpResponse<byte[]> reply =
          client.send(
              HttpRequest.newBuilder(uri).PUT(HttpRequest.BodyPublishers.ofByteArray(body)).build(),
              HttpResponse.BodyHandlers.ofByteArray());
      assertThat(reply.statusCode()).isEqualTo(200);
      assertThat(reply.body()).isEqualTo(body);
      assertThat(reply.headers().firstValue("thread").orElseThrow()).matches("event-loop-\\d+");
    } finally {
      client.shutdownNow();
    }
  }

  @ParameterizedTest
  @EnumSource
  void connectionsUseTheTransportAndThePooledAllocator(TransportKind kind) throws Exception {
    start(kind, false);
    CompletableFuture<Channel> accepted = new CompletableFuture<>();
    NetServer server =
        await(
            vertx
                .createNetServer()
                .connectHandler(
                    socket ->
                        accepted.complete(
                            ((NetSocketInternal) socket).channelHandlerContext().channel()))
                .listen(0, "127.0.0.1"));
    try (Socket _ = new Socket("127.0.0.1", server.actualPort())) {
      Channel channel = accepted.get(20, TimeUnit.SECONDS);
      String expected = kind == TransportKind.IO_URING ? "iouring" : kind.toString();
      assertThat(channel.getClass().getSimpleName().toLowerCase(Locale.ROOT)).startsWith(expected);
      assertThat(channel.alloc()).isInstanceOf(PooledByteBufAllocator.class);
      assertThat(channel.alloc().isDirectBufferPooled()).isTrue();
    }
  }

  @Test
  void everyRingHoldsManyCompletions() throws Exception {
    start(TransportKind.IO_URING, false);
    List<String> sizes = new ArrayList<>();
    try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
      for (Path fd : open.toList()) {
        if (Files.isSymbolicLink(fd)
            && Files.readSymbolicLink(fd).toString().equals("anon_inode:[io_uring]")) {
          Files.readAllLines(Path.of("/proc/self/fdinfo", fd.getFileName().toString())).stream()
              .filter(line -> line.startsWith("CqMask:"))
              .forEach(line -> sizes.add(line.substring(line.indexOf(':') + 1).strip()));
        }
      }
    }
    assertThat(sizes).as("one ring a loop").isNotEmpty().containsOnly("0x7fff");
  }

  @Test
  void pinnedLoopsStayOnTheirProcessors() throws Exception {
    start(TransportKind.NIO, true);
    CompletableFuture<List<String>> status = new CompletableFuture<>();
    vertx.runOnContext(
        _ -> {
          try {
            String name = Thread.currentThread().getName();
            String cpus =
                Files.readAllLines(Path.of("/proc/thread-self/status")).stream()
                    .filter(line -> line.startsWith("Cpus_allowed_list:"))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElseThrow();
            status.complete(List.of(name, cpus));
          } catch (Exception e) {
            status.completeExceptionally(e);
          }
        });
    List<String> answer = status.get(20, TimeUnit.SECONDS);
    int loop = Integer.parseInt(answer.getFirst().substring("event-loop-".length()));
    assertThat(answer.getLast()).isEqualTo(usable.cpus().get(loop % usable.size()).toString());
  }
}
