package io.penstock.gateway.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.gateway.testing.FloodStore;
import io.penstock.gateway.testing.GatewayProcess;
import io.penstock.gateway.testing.Stack;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Configuration;
import software.amazon.awssdk.services.s3.presigner.S3Presigner;

/**
 * A thousand clients that ask for a large object and hardly read must cost bounded memory and
 * nobody else's service.
 */
class SlowReadersIT {
  private static final int READERS = 1000;
  private static final long OBJECT = 64L << 20;
  private static final long DIRECT = 256L << 20;

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  Path directory;

  @Test
  @Timeout(400)
  void aThousandSlowReadersShareTheBudget() throws Exception {
    List<Socket> readers = new ArrayList<>();
    try (FloodStore store = new FloodStore();
        GatewayProcess gateway =
            GatewayProcess.start(
                directory,
                store.endpoint(),
                "-Xmx256m",
                "-XX:MaxDirectMemorySize=" + DIRECT,
                "-XX:+UseSerialGC",
                "-XX:+ExitOnOutOfMemoryError");
        var client = Stack.client(gateway.s3(), Stack.ACCESS_KEY, Stack.SECRET_KEY)) {
      try {
        byte[] request = request(gateway.s3());
        for (int i = 0; i < READERS; i++) {
          readers.add(slowReader(gateway.s3(), request));
        }
        for (Socket reader : readers) {
          assertThat(status(reader)).startsWith("HTTP/1.1 200");
        }
        assertThat(gateway.metric("penstock_requests_in_flight", "")).isEqualTo(READERS);
        assertThat(gateway.metric("penstock_memory_reserved_bytes", "bodies"))
            .isLessThanOrEqualTo(gateway.metric("penstock_memory_budget_bytes", ""));
        assertThat(gateway.metric("penstock_netty_direct_memory_used_bytes", ""))
            .isLessThan(DIRECT);
        for (int size : new int[] {1, 4096, 3_000_000}) {
          byte[] bytes =
              client.getObjectAsBytes(r -> r.bucket("b").key(Integer.toString(size))).asByteArray();
          assertThat(bytes).hasSize(size);
          assertThat(bytes[size - 1]).isEqualTo(FloodStore.at(size - 1));
        }
        assertThat(gateway.alive()).isTrue();
        readWhole(readers.removeLast());
      } finally {
        for (Socket reader : readers) {
          reader.close();
        }
      }
      waitForNothingHeld(gateway);
      assertThat(gateway.log()).doesNotContain("OutOfMemory").doesNotContain("LEAK");
      assertThat(gateway.terminate()).isZero();
    }
  }

  private static void waitForNothingHeld(GatewayProcess gateway) throws Exception {
    while (gateway.metric("penstock_requests_in_flight", "") > 0
        || gateway.metric("penstock_memory_reserved_bytes", "bodies") > 0) {
      Thread.sleep(50);
    }
  }

  private static byte[] request(URI gateway) {
    try (S3Presigner presigner =
        S3Presigner.builder()
            .endpointOverride(gateway)
            .region(Region.US_EAST_1)
            .serviceConfiguration(S3Configuration.builder().pathStyleAccessEnabled(true).build())
            .credentialsProvider(
                StaticCredentialsProvider.create(
                    AwsBasicCredentials.create(Stack.ACCESS_KEY, Stack.SECRET_KEY)))
            .build()) {
      var presigned =
          presigner.presignGetObject(
              r ->
                  r.signatureDuration(Duration.ofMinutes(10))
                      .getObjectRequest(g -> g.bucket("b").key(Long.toString(OBJECT))));
      String target = presigned.url().getFile();
      String head = "GET " + target + " HTTP/1.1\r\nHost: " + gateway.getAuthority() + "\r\n\r\n";
      return head.getBytes(StandardCharsets.US_ASCII);
    }
  }

  private static Socket slowReader(URI gateway, byte[] request) throws Exception {
    Socket socket = new Socket();
    socket.setReceiveBufferSize(4096);
    socket.setSoTimeout(100_000);
    socket.connect(new InetSocketAddress(gateway.getHost(), gateway.getPort()));
    socket.getOutputStream().write(request);
    return socket;
  }

  private static String status(Socket socket) throws Exception {
    byte[] start = socket.getInputStream().readNBytes(16);
    return new String(start, StandardCharsets.US_ASCII);
  }

  private static void readWhole(Socket socket) throws Exception {
    InputStream in = socket.getInputStream();
    int matched = 0;
    byte[] end = "\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    while (matched < end.length) {
      int next = in.read();
      matched = next == end[matched] ? matched + 1 : next == end[0] ? 1 : 0;
    }
    byte[] buffer = new byte[1 << 16];
    long offset = 0;
    while (offset < OBJECT) {
      int read = in.read(buffer);
      assertThat(read).isPositive();
      for (int i = 0; i < read; i += 997) {
        assertThat(buffer[i]).isEqualTo(FloodStore.at(offset + i));
      }
      offset += read;
    }
    assertThat(offset).isEqualTo(OBJECT);
    socket.close();
  }
}
