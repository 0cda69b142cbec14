package io.penstock.gateway.upstream.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslProvider;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import io.penstock.config.UpstreamConfig.TlsConfig;
import io.penstock.gateway.testing.FaultyStore;
import io.penstock.gateway.testing.Gate;
import io.penstock.gateway.testing.LeakWatch;
import io.penstock.gateway.testing.SinkProbe;
import io.penstock.gateway.testing.TestTransport;
import io.penstock.gateway.upstream.UpstreamFailure;
import io.penstock.gateway.upstream.UpstreamObserver;
import io.penstock.gateway.upstream.UpstreamResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** TLS to the store with both providers on every transport. */
@ParameterizedClass
@MethodSource("combinations")
@ExtendWith(LeakWatch.class)
class WireTlsIT {
  @TempDir private static Path files;
  private static Path authority;
  private static SSLContext localhost;
  private static SSLContext elsewhere;

  private final TestTransport transport;
  private final SslProvider provider;
  private WireLab lab;

  WireTlsIT(TestTransport transport, SslProvider provider) {
    this.transport = transport;
    this.provider = provider;
  }

  static List<Arguments> combinations() {
    List<Arguments> all = new ArrayList<>();
    for (TestTransport transport : TestTransport.available()) {
      all.add(Arguments.of(transport, SslProvider.JDK));
      if (OpenSsl.isAvailable()) {
        all.add(Arguments.of(transport, SslProvider.OPENSSL));
      }
    }
    return all;
  }

  @BeforeAll
  static void certificates() throws Exception {
    X509Bundle root =
        new CertificateBuilder()
            .subject("CN=Test authority")
            .setIsCertificateAuthority(true)
            .buildSelfSigned();
    authority = Files.writeString(files.resolve("ca.pem"), root.getRootCertificatePEM());
    localhost =
        context(
            new CertificateBuilder()
                .subject("CN=store")
                .addSanDnsName("localhost")
                .buildIssuedBy(root));
    elsewhere =
        context(
            new CertificateBuilder()
                .subject("CN=other")
                .addSanDnsName("elsewhere.example")
                .buildIssuedBy(root));
  }

  private static SSLContext context(X509Bundle bundle) throws Exception {
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(bundle.toKeyManagerFactory().getKeyManagers(), null, null);
    return context;
  }

  @BeforeEach
  void open() {
    lab = new WireLab(transport);
  }

  @AfterEach
  void close() throws Exception {
    lab.close();
  }

  private WirePool pool(FaultyStore store, Optional<Path> ca, boolean verify) {
    return lab.track(
        new WirePool(
            lab.transport(),
            new Endpoint(true, "localhost", store.port()),
            Optional.of(WireTls.of(new TlsConfig(ca, verify), provider)),
            WireLab.USUAL,
            UpstreamObserver.NONE));
  }

  @Test
  void readsManyRecordsAndReusesTheConnection() throws Throwable {
    byte[] big = new byte[3_000_000];
    for (int i = 0; i < big.length; i++) {
      big[i] = (byte) (i * 31 + i / 251);
    }
    try (FaultyStore store =
        FaultyStore.startTls(
            localhost,
            peer -> {
              while (peer.readRequest() != null) {
                peer.send("HTTP/1.1 200 OK\r\nContent-Length: " + big.length + "\r\n\r\n");
                peer.send(big);
              }
            })) {
      WirePool pool = pool(store, Optional.of(authority), true);
      for (int i = 0; i < 2; i++) {
        assertThat(lab.read(lab.answer(pool, WireLab.get("/")))).isEqualTo(big);
      }
      assertThat(store.connections()).isEqualTo(1);
    }
  }

  @Test
  void keepsWhatWasDecryptedWhilePaused() throws Throwable {
    try (FaultyStore store =
        FaultyStore.startTls(localhost, FaultyStore.always(FaultyStore.ok("x".repeat(200_000))))) {
      WirePool pool = pool(store, Optional.of(authority), true);
      UpstreamResponse response = lab.answer(pool, WireLab.get("/"));
      SinkProbe sink = new SinkProbe();
      sink.onData(
          () -> {
            // each buffer only after the one before has been digested
            response.body().pause();
            sink.mustBeQuiet(true);
            lab.transport()
                .loop()
                .execute(
                    () -> {
                      sink.mustBeQuiet(false);
                      response.body().resume();
                    });
          });
      lab.run(() -> response.body().start(sink));
      assertThat(sink.await()).hasSize(200_000);
    }
  }

  @Test
  void refusesAnUnknownAuthority() throws Throwable {
    assertRefused(localhost, Optional.empty());
  }

  @Test
  void refusesTheNameOfSomebodyElse() throws Throwable {
    assertRefused(elsewhere, Optional.of(authority));
  }

  private void assertRefused(SSLContext server, Optional<Path> ca) throws Throwable {
    try (FaultyStore store = FaultyStore.startTls(server, FaultyStore.always(""))) {
      WirePool pool = pool(store, ca, true);
      assertThatThrownBy(() -> lab.answer(pool, WireLab.get("/")))
          .isInstanceOf(UpstreamFailure.Unreachable.class)
          .hasMessageContaining("upstream.tls");
      assertThat(store.requests()).isEmpty();
      assertThat(lab.onLoop(pool::load)).isZero();
    }
  }

  @Test
  void trustsAnybodyIfToldSo() throws Throwable {
    try (FaultyStore store =
        FaultyStore.startTls(elsewhere, FaultyStore.always(FaultyStore.ok("x")))) {
      WirePool pool = pool(store, Optional.empty(), false);
      assertThat(lab.read(lab.answer(pool, WireLab.get("/")))).asString().isEqualTo("x");
    }
  }

  @Test
  void onlyAFarewellEndsABodyWithoutLength() throws Throwable {
    Gate delivered = new Gate();
    FaultyStore.Script orderly =
        peer -> {
          peer.readRequest();
          peer.send("HTTP/1.1 200 OK\r\n\r\nwhole");
        };
    FaultyStore.Script cut =
        peer -> {
          peer.readRequest();
          peer.send("HTTP/1.1 200 OK\r\n\r\ncut");
          delivered.await();
          peer.cut();
        };
    try (FaultyStore store = FaultyStore.startTls(localhost, orderly, cut)) {
      WirePool pool = pool(store, Optional.of(authority), true);
      assertThat(lab.read(lab.answer(pool, WireLab.get("/")))).asString().isEqualTo("whole");
      UpstreamResponse second = lab.answer(pool, WireLab.get("/"));
      SinkProbe sink = new SinkProbe().onData(delivered::open);
      lab.run(() -> second.body().start(sink));
      assertThatThrownBy(sink::await).isInstanceOf(UpstreamFailure.Broken.class);
    }
  }

  @Test
  void cancellingDoesNotWaitForAFarewell() throws Throwable {
    CompletableFuture<Long> sent = new CompletableFuture<>();
    try (FaultyStore store =
        FaultyStore.startTls(
            localhost,
            peer -> {
              peer.readRequest();
              peer.send("HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\n");
              sent.complete(peer.sendUpTo(1_000_000_000, 1 << 16));
            })) {
      WirePool pool = pool(store, Optional.of(authority), true);
      UpstreamResponse response = lab.answer(pool, WireLab.get("/"));
      int load =
          lab.onLoop(
              () -> {
                response.body().cancel();
                return pool.load();
              });
      assertThat(load).isZero();
      assertThat(sent.get(20, TimeUnit.SECONDS)).isLessThan(1_000_000_000);
    }
  }

  @Test
  void aMissingAuthorityFileIsNamed() {
    Path missing = files.resolve("missing.pem");
    assertThatThrownBy(() -> WireTls.of(new TlsConfig(Optional.of(missing), true), provider))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("missing.pem")
        .hasMessageContaining("upstream.tls.ca");
  }
}
