package io.penstock.sink.client;

import static io.penstock.sink.client.ScriptedGateway.answer;
import static io.penstock.sink.client.ScriptedGateway.chunked;
import static io.penstock.sink.client.ScriptedGateway.cut;
import static io.penstock.sink.client.ScriptedGateway.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import io.penstock.arrow.ipc.ReceivedBatch;
import io.penstock.arrow.ipc.StreamError;
import io.penstock.arrow.memory.ArrowBlockSource;
import io.penstock.arrow.memory.Block;
import io.penstock.arrow.memory.BlockExhaustedException;
import io.penstock.arrow.wire.BatchRequest;
import io.penstock.arrow.wire.BatchView;
import io.penstock.sink.client.GatewayException.Fault;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The client against a gateway that does as it is told. */
@Timeout(60)
class BatchStreamIT {
  private static final String ARROW = "application/vnd.apache.arrow.stream";
  private static final ClientOptions QUICK =
      ClientOptions.DEFAULT.with(new RetryPolicy(3, Duration.ofMillis(1), Duration.ofMillis(2)));
  private static final BatchRequest EPOCH =
      GatewayClient.request(
          """
          {"version": 1, "bucket": "b", "prefix": "", "batch-size": 2,
           "epoch": {"seed": 4, "rank": 1, "world-size": 2}}
          """);
  private static final BatchRequest LIST =
      GatewayClient.request(
          """
          {"version": 1, "bucket": "b", "batch-size": 2,
           "items": ["a", {"key": "b", "range": {"offset": 1, "length": 2}, "label": 3}]}
          """);

  private final BufferAllocator allocator = new RootAllocator();
  private final ArrowBlockSource memory = new ArrowBlockSource(allocator);

  @AfterEach
  void nothingIsHeld() {
    allocator.close();
  }

  private static GatewayClient client(ScriptedGateway gateway, ClientOptions options) {
    return new GatewayClient(
        new GatewayAddress(gateway.endpoint(), "us-east-1", Credentials.of("ak", "sk")), options);
  }

  private static List<Integer> read(BatchStream stream) {
    List<Integer> rows = new ArrayList<>();
    for (ReceivedBatch batch : stream) {
      try (batch) {
        BatchView view = new BatchView(batch);
        for (int row = 0; row < view.rows(); row++) {
          int index = (int) view.head(row).index();
          rows.add(index);
          assertThat(
                  batch.column("payload").bytes(row).orElseThrow().toArray(ValueLayout.JAVA_BYTE))
              .isEqualTo(SampleStream.payload(index));
        }
      }
    }
    return rows;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 1000, 100_000, 10_000_000})
  void chunksOfAnySizeAreRead(int size) throws Exception {
    try (var gateway = ScriptedGateway.of(chunked(SampleStream.complete(0, 5), size));
        var stream = client(gateway, QUICK).open(EPOCH, memory)) {
      assertThat(read(stream)).isEqualTo(SampleStream.rows(0, 5));
      assertThat(stream.next()).isEmpty();
      assertThat(stream.position()).isEqualTo(5);
      var asked = gateway.asked().getFirst();
      assertThat(asked.path()).isEqualTo("/-/epochs");
      assertThat(asked.head())
          .contains("AWS4-HMAC-SHA256 Credential=ak/", "x-amz-content-sha256: ");
    }
  }

  @Test
  void anAnswerOfKnownLengthIsRead() throws Exception {
    try (var gateway = ScriptedGateway.of(answer(200, ARROW, SampleStream.complete(0, 3)));
        var stream = client(gateway, QUICK).open(LIST, memory)) {
      assertThat(read(stream)).isEqualTo(SampleStream.rows(0, 3));
      assertThat(gateway.asked().getFirst().path()).isEqualTo("/-/batch");
    }
  }

  @Test
  void tlsIsRead() throws Exception {
    X509Bundle bundle =
        new CertificateBuilder()
            .subject("CN=localhost")
            .addSanDnsName("localhost")
            .setIsCertificateAuthority(true)
            .buildSelfSigned();
    KeyManagerFactory keys = bundle.toKeyManagerFactory();
    SSLContext server = SSLContext.getInstance("TLS");
    server.init(keys.getKeyManagers(), null, null);
    TrustManagerFactory trusted = bundle.toTrustManagerFactory();
    SSLContext trust = SSLContext.getInstance("TLS");
    trust.init(null, trusted.getTrustManagers(), null);
    byte[] sample = SampleStream.complete(0, 40);
    try (var gateway =
            ScriptedGateway.tls(server, chunked(sample, 1 << 20), chunked(sample, 3000));
        var stream = client(gateway, QUICK.with(trust)).open(EPOCH, memory);
        var other = client(gateway, QUICK.with(trust)).open(EPOCH, memory)) {
      assertThat(read(stream)).isEqualTo(SampleStream.rows(0, 40));
      assertThat(read(other)).isEqualTo(SampleStream.rows(0, 40));
    }
    try (var stranger = ScriptedGateway.tls(server, chunked(sample, 1000))) {
      var failure = refusal(client(stranger, QUICK.with(RetryPolicy.NONE)), EPOCH);
      assertThat(failure.fault()).isEqualTo(Fault.NETWORK);
      assertThat(failure).hasMessageContaining("certif");
    }
  }

  private GatewayException refusal(GatewayClient client, BatchRequest request) {
    return catchThrowableOfType(GatewayException.class, () -> client.open(request, memory).close());
  }

  @Test
  void aBrokenStreamGoesOnWhereItBroke() throws Exception {
    Tape tape = new Tape();
    try (var gateway =
            ScriptedGateway.of(
                cut(SampleStream.broken(0, 3), 50_000),
                refused(503, "SlowDown"),
                cut(SampleStream.broken(3, 4), 1000),
                chunked(
                    SampleStream.failed(4, 6, new StreamError("SlowDown", "later", true)), 1000),
                chunked(SampleStream.complete(6, 10), 70_000));
        var stream = client(gateway, QUICK).open(EPOCH, memory, tape)) {
      assertThat(read(stream)).isEqualTo(SampleStream.rows(0, 10));
      assertThat(stream.resumed()).isEqualTo(3);
      assertThat(gateway.asked())
          .extracting(asked -> asked.body().replaceAll(".*\"resume-at\":(\\d+).*", "$1"))
          .containsExactly("0", "3", "3", "4", "6");
    }
    assertThat(tape.kept.toByteArray()).isEqualTo(SampleStream.complete(0, 10));
  }

  /** Keeps what is to be kept. */
  private static final class Tape implements StreamTap {
    private final ByteArrayOutputStream kept = new ByteArrayOutputStream();
    private final ByteArrayOutputStream open = new ByteArrayOutputStream();

    @Override
    public void received(ByteBuffer bytes) {
      byte[] copy = new byte[bytes.remaining()];
      bytes.get(copy);
      open.writeBytes(copy);
    }

    @Override
    public void keep() {
      kept.writeBytes(open.toByteArray());
      open.reset();
    }

    @Override
    public void drop() {
      open.reset();
    }
  }

  @Test
  void aBrokenListGoesOnAsAnEpochThatIsNotShuffled() throws Exception {
    try (var gateway =
            ScriptedGateway.of(
                cut(SampleStream.broken(0, 2), 5000), chunked(SampleStream.complete(2, 4), 5000));
        var stream = client(gateway, QUICK).open(LIST, memory)) {
      assertThat(read(stream)).isEqualTo(SampleStream.rows(0, 4));
      var again = gateway.asked().getLast();
      assertThat(again.path()).isEqualTo("/-/epochs");
      assertThat(again.body())
          .contains("\"epoch\":{\"shuffle\":false,\"rank\":0,\"world-size\":1,\"tail\":\"keep\"")
          .contains("\"resume-at\":2", "\"range\":{\"offset\":1,\"length\":2},\"label\":3");
    }
  }

  @Test
  void whatComesAsItIsReadyCannotGoOn() throws Exception {
    BatchRequest unordered =
        GatewayClient.request(
            "{\"version\": 1, \"bucket\": \"b\", \"prefix\": \"\", \"order\": \"as-ready\"}");
    try (var gateway = ScriptedGateway.of(cut(SampleStream.broken(0, 2), 5000));
        var stream = client(gateway, QUICK).open(unordered, memory)) {
      var failure = catchThrowableOfType(GatewayException.class, () -> read(stream));
      assertThat(failure.code()).isEqualTo("Truncated");
      assertThat(failure.fault()).isEqualTo(Fault.NETWORK);
      assertThat(failure.retryable()).isTrue();
    }
  }

  @Test
  void triesHaveAnEnd() throws Exception {
    try (var gateway =
            ScriptedGateway.of(
                cut(SampleStream.broken(0, 1), 999),
                cut(SampleStream.broken(1, 1), 999),
                cut(SampleStream.broken(1, 1), 999),
                chunked(SampleStream.complete(1, 2), 999));
        var stream = client(gateway, QUICK).open(EPOCH, memory)) {
      stream.next().orElseThrow().close();
      var failure = catchThrowableOfType(GatewayException.class, stream::next);
      assertThat(failure.code()).isEqualTo("Truncated");
      assertThat(stream.position()).isEqualTo(1);
      assertThat(gateway.asked()).hasSize(3);
      // the caller may still go on where it stopped
      assertThat(read(stream)).isEqualTo(SampleStream.rows(1, 2));
    }
  }

  @Test
  void anotherListIsNoticed() throws Exception {
    try (var gateway =
            ScriptedGateway.of(
                cut(SampleStream.broken(0, 1), 999),
                chunked(SampleStream.complete(1, 2, "21"), 999));
        var stream = client(gateway, QUICK).open(EPOCH, memory)) {
      var failure = catchThrowableOfType(GatewayException.class, () -> read(stream));
      assertThat(failure.code()).isEqualTo("ListChanged");
      assertThat(failure.retryable()).isFalse();
    }
  }

  @Test
  void theGatewaysOwnErrorIsTheCallers() throws Exception {
    try (var gateway =
            ScriptedGateway.of(
                chunked(
                    SampleStream.failed(0, 2, new StreamError("NoSuchKey", "item 5", false)),
                    4000));
        var stream = client(gateway, QUICK).open(EPOCH, memory)) {
      var failure = catchThrowableOfType(GatewayException.class, () -> read(stream));
      assertThat(failure.code()).isEqualTo("NoSuchKey");
      assertThat(failure.fault()).isEqualTo(Fault.CALLER);
      assertThat(failure).hasMessageContaining("item 5");
    }
  }

  @Test
  void refusalsSayWhoseFaultTheyAre() throws Exception {
    try (var gateway =
        ScriptedGateway.of(
            refused(403, "SignatureDoesNotMatch"),
            answer(502, "text/html", "<p>bad".getBytes()),
            answer(502, "text/html", "<p>bad".getBytes()),
            answer(502, "text/html", "<p>bad".getBytes()),
            answer(200, "text/plain", "hello".getBytes()))) {
      var denied = refusal(client(gateway, QUICK), EPOCH);
      assertThat(denied.code()).isEqualTo("SignatureDoesNotMatch");
      assertThat(denied.fault()).isEqualTo(Fault.CALLER);
      assertThat(denied).hasMessageContaining("because & so (r1)");
      var down = refusal(client(gateway, QUICK), EPOCH);
      assertThat(down.fault()).isEqualTo(Fault.SERVICE);
      assertThat(down.retryable()).isTrue();
      var other = refusal(client(gateway, QUICK), EPOCH);
      assertThat(other.code()).isEqualTo("NoStream");
    }
    try (var gone = ScriptedGateway.of()) {
      GatewayClient client = client(gone, QUICK);
      gone.close();
      var failure = refusal(client, EPOCH);
      assertThat(failure.fault()).isEqualTo(Fault.NETWORK);
      assertThat(failure).hasMessageContaining("cannot connect to localhost:");
    }
  }

  @Test
  void memoryThatIsFullIsTheCallersToFree() throws Exception {
    AtomicInteger given = new AtomicInteger();
    try (var gateway =
            ScriptedGateway.of(
                chunked(SampleStream.complete(0, 3), 999),
                chunked(SampleStream.complete(1, 3), 999));
        var stream =
            client(gateway, QUICK)
                .open(
                    EPOCH,
                    bytes -> {
                      if (given.incrementAndGet() == 2) {
                        throw new BlockExhaustedException("full");
                      }
                      Block block = memory.allocate(bytes);
                      return block;
                    })) {
      stream.next().orElseThrow().close();
      assertThat(catchThrowableOfType(BlockExhaustedException.class, stream::next))
          .hasMessage("full");
      assertThat(read(stream)).isEqualTo(SampleStream.rows(1, 3));
    }
  }

  @Test
  void closingEndsTheWaiting() throws Exception {
    CountDownLatch over = new CountDownLatch(1);
    byte[] sample = SampleStream.broken(0, 1);
    try (var gateway =
            ScriptedGateway.of(
                out -> {
                  cut(sample, 1000).write(out);
                  out.flush();
                  await(over);
                });
        var stream = client(gateway, QUICK).open(EPOCH, memory)) {
      stream.next().orElseThrow().close();
      Thread closer = Thread.startVirtualThread(stream::close);
      var failure = catchThrowableOfType(GatewayException.class, stream::next);
      assertThat(failure.code()).isEqualTo("Closed");
      assertThat(catchThrowableOfType(GatewayException.class, stream::next).code())
          .isEqualTo("Closed");
      closer.join();
      over.countDown();
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void silenceHasADeadline() throws Exception {
    CountDownLatch over = new CountDownLatch(1);
    ClientOptions impatient =
        new ClientOptions(
            QUICK.connect(), Duration.ofMillis(50), RetryPolicy.NONE, QUICK.limits(), QUICK.tls());
    try (var gateway = ScriptedGateway.of(out -> await(over))) {
      var failure = refusal(client(gateway, impatient), EPOCH);
      assertThat(failure.fault()).isEqualTo(Fault.NETWORK);
      assertThat(failure).hasMessageContaining("nothing was sent for PT0.05S");
      over.countDown();
    }
  }
}
