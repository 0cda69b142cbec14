package io.penstock.gateway.clients;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.gateway.testing.Stack;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.apache.hc.client5.http.DnsResolver;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.presigner.S3Presigner;

/**
 * Buckets named by the host, {@code BUCKET.DOMAIN}, which is what an SDK does when it is not told
 * otherwise.
 */
class VirtualHostIT {
  private static final String DOMAIN = "s3.localhost";
  private static final String BUCKET = "virtual-host";
  @TempDir private static Path folder;
  private static Stand stand;
  private static Stack stack;
  private static Endpoint gateway;

  @BeforeAll
  static void start() {
    stand = Stand.of(StoreUnderTest.Kind.RADOSGW);
    stack = stand.inFront("listen: {s3: {port: 0, domains: [" + DOMAIN + "]}, admin: {port: 0}}\n");
    stand.reader().createBucket(BUCKET);
    gateway =
        new Endpoint(
            URI.create("http://" + DOMAIN + ":" + stack.s3().getPort()),
            Stack.ACCESS_KEY,
            Stack.SECRET_KEY,
            "us-east-1",
            Optional.empty());
  }

  @AfterAll
  static void stop() {
    stack.close();
  }

  @ParameterizedTest
  @EnumSource
  void theSdkNamesTheBucketByTheHost(OddKey odd) {
    Path body = Bodies.small("virtual-" + odd.label());
    try (S3Client s3 = client()) {
      s3.putObject(r -> r.bucket(BUCKET).key(odd.key), RequestBody.fromFile(body));
      assertThat(stand.reader().read(BUCKET, odd.key))
          .hasValueSatisfying(bytes -> assertThat(bytes).isEqualTo(Bodies.bytes(body)));
      assertThat(s3.getObjectAsBytes(r -> r.bucket(BUCKET).key(odd.key)).asByteArray())
          .isEqualTo(Bodies.bytes(body));
      s3.copyObject(
          r ->
              r.sourceBucket(BUCKET)
                  .sourceKey(odd.key)
                  .destinationBucket(BUCKET)
                  .destinationKey("copy"));
      assertThat(stand.reader().read(BUCKET, "copy"))
          .hasValueSatisfying(bytes -> assertThat(bytes).isEqualTo(Bodies.bytes(body)));
      assertThat(s3.listObjectsV2(r -> r.bucket(BUCKET).prefix(odd.key)).contents())
          .anySatisfy(object -> assertThat(object.key()).isEqualTo(odd.key));
    }
  }

  @Test
  void aPresignedUrlNamesTheBucketByTheHost() {
    Path body = Bodies.small("virtual-presigned");
    try (S3Presigner presigner =
        S3Presigner.builder()
            .endpointOverride(gateway.uri())
            .region(Region.of(gateway.region()))
            .credentialsProvider(SdkSyncClient.credentials(gateway))
            .build()) {
      String url =
          presigner
              .presignPutObject(
                  r ->
                      r.signatureDuration(Duration.ofMinutes(5))
                          .putObjectRequest(p -> p.bucket(BUCKET).key(OddKey.PLUS_AND_SPACE.key)))
              .url()
              .toString();
      assertThat(url).startsWith("http://" + BUCKET + "." + DOMAIN + ":");
      Curl curl = new Curl("--connect-to", "::127.0.0.1:" + gateway.uri().getPort());
      assertThat(curl.put(url, body)).isEqualTo(200);
      assertThat(stand.reader().read(BUCKET, OddKey.PLUS_AND_SPACE.key))
          .hasValueSatisfying(bytes -> assertThat(bytes).isEqualTo(Bodies.bytes(body)));
    }
  }

  private static S3Client client() {
    return S3Client.builder()
        .endpointOverride(gateway.uri())
        .region(Region.of(gateway.region()))
        .credentialsProvider(SdkSyncClient.credentials(gateway))
        .httpClientBuilder(Apache5HttpClient.builder().dnsResolver(new Loopback()))
        .build();
  }

  /** Not every machine resolves names under localhost. */
  private static final class Loopback implements DnsResolver {
    @Override
    public InetAddress[] resolve(String host) throws UnknownHostException {
      assertThat(host).isEqualTo(BUCKET + "." + DOMAIN);
      return new InetAddress[] {InetAddress.getByName("127.0.0.1")};
    }

    @Override
    public String resolveCanonicalHostname(String host) {
      return host;
    }
  }
}
