package io.penstock.gateway.clients;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.gateway.testing.Stack;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import software.amazon.awssdk.auth.credentials.AnonymousCredentialsProvider;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;

/**
 * Requests without a signature: as much as the anonymous tenant's policy allows, and nothing where
 * there is none.
 */
@ParameterizedClass(name = "{0}")
@EnumSource
class AnonymousIT {
  private static final String TENANTS =
      "tenants:\n"
          + "  - {name: demo, access-key: demo, secret-key: demo-secret}\n"
          + "  - {name: public, anonymous: true, policy: {rules: [{bucket: '%s', prefix: 'open/*', access: [read]}]}}\n";
  private final Stand stand;
  private final String bucket;
  private final Curl curl = new Curl();
  @TempDir private Path folder;

  AnonymousIT(StoreUnderTest.Kind store) {
    stand = Stand.of(store);
    bucket = "anonymous-" + store.name().toLowerCase(Locale.ROOT) + System.nanoTime();
    stand.reader().createBucket(bucket);
    stand.reader().write(bucket, "open/a b", Bodies.small("open"));
    stand.reader().write(bucket, "closed/key", Bodies.small("closed"));
  }

  @Test
  void readsWhatThePolicyAllows() {
    try (Stack stack = stand.inFront(TENANTS.formatted(bucket));
        S3Client s3 = client(stack)) {
      String base = stack.s3() + "/" + bucket;
      Path got = folder.resolve("got");
      assertThat(curl.get(base + "/open/a%20b", got)).isEqualTo(200);
      assertThat(got).hasSameBinaryContentAs(Bodies.small("open"));
      assertThat(s3.getObjectAsBytes(r -> r.bucket(bucket).key("open/a b")).asByteArray())
          .isEqualTo(Bodies.bytes(Bodies.small("open")));
      assertThat(curl.get(base + "/closed/key", got)).isEqualTo(403);
      assertThat(curl.get(base + "/open/../closed/key", got)).isEqualTo(403);
      assertThat(curl.put(base + "/open/new", Bodies.small("new"))).isEqualTo(403);
      assertThat(stand.reader().keys(bucket, "")).containsExactly("closed/key", "open/a b");
    }
  }

  @Test
  void readsNothingWithoutAnAnonymousTenant() {
    Path got = folder.resolve("got");
    assertThat(curl.get(stand.gateway().uri() + "/" + bucket + "/open/a%20b", got)).isEqualTo(403);
    assertThat(got).content().contains("<Code>AccessDenied</Code>");
  }

  private static S3Client client(Stack stack) {
    return S3Client.builder()
        .endpointOverride(stack.s3())
        .region(Region.US_EAST_1)
        .credentialsProvider(AnonymousCredentialsProvider.create())
        .forcePathStyle(true)
        .httpClientBuilder(Apache5HttpClient.builder())
        .build();
  }
}
