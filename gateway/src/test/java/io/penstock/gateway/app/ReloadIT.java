package io.penstock.gateway.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import io.penstock.config.ConfigHandle;
import io.penstock.config.ConfigLoader;
import io.penstock.config.ConfigResult;
import io.penstock.config.ConfigWatcher;
import io.penstock.gateway.testing.FaultyStore;
import io.penstock.gateway.testing.FloodStore;
import io.penstock.gateway.testing.ObjectOrigin;
import io.penstock.gateway.testing.RawClient;
import io.penstock.gateway.testing.Stack;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.services.s3.model.S3Exception;

/**
 * What docs/configuration.md calls reloadable changes while the gateway runs; a bad file changes
 * nothing.
 */
class ReloadIT {
  @TempDir Path directory;
  private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();
  private final BlockingQueue<ConfigWatcher.Event> events = new LinkedBlockingQueue<>();

  @AfterEach
  void stop() {
    scheduler.shutdownNow();
  }

  @Test
  void aTenantsNewKeyWorksWithoutARestartAndABadFileChangesNothing() throws Exception {
    try (FloodStore store = new FloodStore();
        Running running = start(yaml(store, "first-secret", ""))) {
      assertThat(length(running, "first-secret")).isEqualTo(10);

      write(yaml(store, "second-secret", ""));
      assertThat(next()).isInstanceOf(ConfigWatcher.Event.Applied.class);
      assertThat(length(running, "second-secret")).isEqualTo(10);
      assertThatThrownBy(() -> length(running, "first-secret"))
          .isInstanceOf(S3Exception.class)
          .hasMessageContaining("signature");

      write(yaml(store, "third-secret", "") + "nonsense: 1\n");
      assertThat(next()).isInstanceOf(ConfigWatcher.Event.Rejected.class);
      assertThat(length(running, "second-secret")).isEqualTo(10);
    }
  }

  @Test
  void aNewCertificateIsShownToNewConnections() throws Exception {
    X509Bundle first = certificate();
    X509Bundle second = certificate();
    Path cert = directory.resolve("tls.crt");
    Path key = directory.resolve("tls.key");
    Files.writeString(cert, first.getCertificatePathPEM());
    Files.writeString(key, first.getPrivateKeyPEM());
    String tls = ", tls: {certificate: '%s', key: '%s'}".formatted(cert, key);
    try (FloodStore store = new FloodStore();
        Running running = start(yaml(store, "s", tls))) {
      assertThat(shown(running.gateway.s3())).isEqualTo(first.getCertificate());
      Files.writeString(key, second.getPrivateKeyPEM());
      Files.writeString(cert, second.getCertificatePathPEM());
      assertThat(next()).isInstanceOf(ConfigWatcher.Event.Applied.class);
      long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
      while (!shown(running.gateway.s3()).equals(second.getCertificate())) {
        assertThat(System.nanoTime()).isLessThan(deadline);
      }
    }
  }

  @Test
  void whatLiesInMemoryIsOnlyForThoseWhoMayReadItNow() throws Exception {
    byte[] object = new byte[100_000];
    new Random(5).nextBytes(object);
    String open = "[{bucket: '*', access: [read]}]";
    String closed = "[{bucket: other, access: [read]}]";
    try (FaultyStore store = FaultyStore.start(new ObjectOrigin().put("/bkt/key", object));
        Running running = start(shared(store.uri(), open, open))) {
      URI s3 = running.gateway.s3();
      assertThat(read(s3, "guest")).isEqualTo(object);
      assertThat(unsigned(s3)).isEqualTo(200);
      int asked = store.requests().size();
      assertThat(read(s3, "guest")).isEqualTo(object);

      write(shared(store.uri(), closed, open));
      assertThat(next()).isInstanceOf(ConfigWatcher.Event.Applied.class);
      assertThatThrownBy(() -> read(s3, "guest"))
          .isInstanceOfSatisfying(
              S3Exception.class, e -> assertThat(e.statusCode()).isEqualTo(403));
      assertThat(read(s3, "owner")).isEqualTo(object);
      assertThat(unsigned(s3)).isEqualTo(200);

      write(shared(store.uri(), open, closed));
      assertThat(next()).isInstanceOf(ConfigWatcher.Event.Applied.class);
      assertThat(unsigned(s3)).isEqualTo(403);
      assertThat(read(s3, "guest")).isEqualTo(object);
      assertThat(store.requests()).as("everything came from memory").hasSize(asked);
    }
  }

  private static String shared(URI store, String guest, String everyone) {
    return """
        listen: {s3: {port: 0}, admin: {port: 0}}
        upstream: {endpoints: ['%s'], access-key: ak, secret-key: sk}
        cache: {admit-within: 0s, fresh-for: 1h}
        tenants:
          - {name: owner, access-key: owner, secret-key: secret}
          - {name: guest, access-key: guest, secret-key: secret, policy: {rules: %s}}
          - {name: everyone, anonymous: true, policy: {rules: %s}}
        """
        .formatted(store, guest, everyone);
  }

  private static byte[] read(URI s3, String tenant) {
    try (var client = Stack.client(s3, tenant, "secret")) {
      return client.getObjectAsBytes(r -> r.bucket("bkt").key("key")).asByteArray();
    }
  }

  private static int unsigned(URI s3) throws IOException {
    try (RawClient client = new RawClient(s3)) {
      return client.send("GET /bkt/key HTTP/1.1\r\nHost: x\r\n\r\n").read().status();
    }
  }

  private record Running(RunningGateway gateway, ConfigWatcher watcher) implements AutoCloseable {
    @Override
    public void close() {
      watcher.close();
      Stack.await(gateway.close());
    }
  }

  private Running start(String yaml) throws Exception {
    Path file = write(yaml);
    ConfigLoader loader = new ConfigLoader(Map.of());
    ConfigResult.Loaded loaded = (ConfigResult.Loaded) loader.load(file);
    ConfigHandle handle = new ConfigHandle(loaded.config());
    ConfigWatcher watcher = new ConfigWatcher(loader, file, handle, events::add);
    RunningGateway gateway = Stack.await(GatewayAssembly.start(handle));
    watcher.start(scheduler, Duration.ofMillis(100));
    return new Running(gateway, watcher);
  }

  private ConfigWatcher.Event next() throws InterruptedException {
    ConfigWatcher.Event event = events.poll(60, TimeUnit.SECONDS);
    assertThat(event).as("the watcher's report").isNotNull();
    return event;
  }

  private Path write(String yaml) throws Exception {
    return Files.writeString(directory.resolve("gateway.yaml"), yaml);
  }

  private static String yaml(FloodStore store, String secret, String tls) {
    return """
        listen: {s3: {port: 0%s}, admin: {port: 0}}
        upstream: {endpoints: ['%s'], region: us-east-1, access-key: ak, secret-key: sk}
        tenants: [{name: demo, access-key: demo, secret-key: %s}]
        """
        .formatted(tls, store.endpoint(), secret);
  }

  private static int length(Running running, String secret) {
    try (var client = Stack.client(running.gateway.s3(), "demo", secret)) {
      return client.getObjectAsBytes(r -> r.bucket("b").key("10")).asByteArray().length;
    }
  }

  private static X509Bundle certificate() throws Exception {
    return new CertificateBuilder()
        .subject("CN=localhost")
        .setIsCertificateAuthority(true)
        .buildSelfSigned();
  }

  private static X509Certificate shown(URI server) throws Exception {
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, new TrustManager[] {new AnyCertificate()}, null);
    try (SSLSocket socket =
        (SSLSocket) context.getSocketFactory().createSocket(server.getHost(), server.getPort())) {
      socket.startHandshake();
      return (X509Certificate) socket.getSession().getPeerCertificates()[0];
    }
  }

  /** This test looks at the certificate instead of trusting it. */
  private static final class AnyCertificate implements X509TrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
