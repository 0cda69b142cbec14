package io.penstock.gateway.clients;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Configuration;
import software.amazon.awssdk.services.s3.presigner.S3Presigner;

/** URLs that an SDK presigned for the gateway, used by curl, which knows no key. */
@ParameterizedClass(name = "{0}")
@EnumSource
class PresignedIT {
  private final Stand stand;
  private final String bucket;
  private final Curl curl = new Curl();
  @TempDir private Path folder;

  PresignedIT(StoreUnderTest.Kind store) {
    stand = Stand.of(store);
    bucket = "presigned-" + System.nanoTime();
    stand.reader().createBucket(bucket);
  }

  @ParameterizedTest
  @EnumSource
  void urlsOfTheJavaSdk(OddKey odd) {
    try (S3Presigner presigner = presigner()) {
      String put =
          presigner
              .presignPutObject(
                  r ->
                      r.signatureDuration(Duration.ofMinutes(5))
                          .putObjectRequest(p -> p.bucket(bucket).key(odd.key)))
              .url()
              .toString();
      String get =
          presigner
              .presignGetObject(
                  r ->
                      r.signatureDuration(Duration.ofMinutes(5))
                          .getObjectRequest(g -> g.bucket(bucket).key(odd.key)))
              .url()
              .toString();
      roundTrip(odd, put, get);
    }
  }

  @Test
  void urlsOfBoto() {
    Path work = Tools.workFolder(bucket);
    List<String> script = Script.debian("boto_presign", "boto3", "python3-boto3");
    try (Daemon boto = ScriptedClient.process(script, stand.gateway(), bucket, work)) {
      for (OddKey odd : OddKey.values()) {
        String put = presign(boto, "put_object", odd.key);
        roundTrip(odd, put, presign(boto, "get_object", odd.key));
      }
    }
  }

  @Test
  void aUrlIsGoodForItsKeyAndMethodOnly() {
    try (S3Presigner presigner = presigner()) {
      String put =
          presigner
              .presignPutObject(
                  r ->
                      r.signatureDuration(Duration.ofMinutes(5))
                          .putObjectRequest(p -> p.bucket(bucket).key("mine")))
              .url()
              .toString();
      Path body = Bodies.small("presigned");
      assertThat(curl.put(put.replace("/mine?", "/other?"), body)).isEqualTo(403);
      assertThat(curl.get(put, folder.resolve("got"))).isEqualTo(403);
      assertThat(stand.reader().keys(bucket, "")).isEmpty();
    }
  }

  private void roundTrip(OddKey odd, String put, String get) {
    Path body = Bodies.small("presigned-" + odd.label());
    assertThat(curl.put(put, body)).as("PUT of %s", odd).isEqualTo(200);
    assertThat(stand.reader().read(bucket, odd.key))
        .hasValueSatisfying(bytes -> assertThat(bytes).isEqualTo(Bodies.bytes(body)));
    Path got = folder.resolve("got");
    assertThat(curl.get(get, got)).as("GET of %s", odd).isEqualTo(200);
    assertThat(got).hasSameBinaryContentAs(body);
  }

  private static String presign(Daemon boto, String operation, String key) {
    boto.writeLine("presign\t" + operation + "\t" + key);
    String answer = boto.readLine();
    assertThat(answer).startsWith("ok\t");
    return answer.substring(3);
  }

  private S3Presigner presigner() {
    Endpoint gateway = stand.gateway();
    return S3Presigner.builder()
        .endpointOverride(gateway.uri())
        .region(Region.of(gateway.region()))
        .credentialsProvider(SdkSyncClient.credentials(gateway))
        .serviceConfiguration(S3Configuration.builder().pathStyleAccessEnabled(true).build())
        .build();
  }
}
