package io.penstock.loadtest.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import io.penstock.loadtest.content.Content;
import io.penstock.loadtest.content.SyntheticObject;
import io.penstock.loadtest.plan.ScenarioLoader;
import io.penstock.loadtest.record.Recording;
import io.penstock.loadtest.sign.RequestSigner;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.InstantSource;
import java.util.concurrent.Executors;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;

/** HTTP/1.1 over TLS, against the JDK's own server and TLS. */
class Http1TlsIT {
  @Test
  void readsOverTls() throws Exception {
    HttpsServer server =
        HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setHttpsConfigurator(new HttpsConfigurator(context()));
    server.createContext(
        "/",
        exchange -> {
          var object = SyntheticObject.named(exchange.getRequestURI().getPath()).orElseThrow();
          exchange.sendResponseHeaders(200, object.size());
          try (var body = exchange.getResponseBody()) {
            for (var piece : Content.slices(object.n(), 0, object.size())) {
              piece.getBytes(piece.readerIndex(), body, piece.readableBytes());
            }
          }
        });
    // it shakes hands in its executor, and waits there for the first request
    var executor = Executors.newVirtualThreadPerTaskExecutor();
    server.setExecutor(executor);
    server.start();
    try (executor;
        var client = new LoadClient(1, InstantSource.system())) {
      var keys = new RequestSigner.Keys("demo", "demo-secret", "us-east-1");
      Recording recording =
          client.run(
              ScenarioLoader.parse(
                  "x",
                  "name: x\nconnections: {count: 3}\n"
                      + "timing: {warmup: 100ms, duration: 500ms, grace: 20s}"),
              new Target(
                  URI.create("https://127.0.0.1:" + server.getAddress().getPort()), keys, true),
              LoadClient.Watcher.NONE);
      assertThat(recording.errors()).isEmpty();
      assertThat(recording.totals().completed()).isPositive();
      server.stop(0);
    }
  }

  private static SSLContext context() throws Exception {
    X509Bundle certificate =
        new CertificateBuilder()
            .subject("CN=localhost")
            .ecp256()
            .setIsCertificateAuthority(true)
            .buildSelfSigned();
    KeyManagerFactory keys = certificate.toKeyManagerFactory();
    var context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), null, null);
    return context;
  }
}
