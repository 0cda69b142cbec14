package io.penstock.gateway.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.S3Exception;

class EmbeddedStoreIT {
  enum Place {
    MEMORY,
    DISK
  }

  @TempDir Path directory;

  @ParameterizedTest
  @EnumSource
  void keepsWhatTheSdkPuts(Place place) {
    byte[] body = new byte[3_000_000];
    new Random(7).nextBytes(body);
    try (var store = start(place);
        var s3 = client(store.endpoint(), "demo", "demo-secret")) {
      s3.createBucket(b -> b.bucket("photos"));
      s3.putObject(
          b -> b.bucket("photos").key("a/b c+é.bin").contentType("image/jpeg"),
          RequestBody.fromBytes(body));
      var read = s3.getObjectAsBytes(b -> b.bucket("photos").key("a/b c+é.bin"));
      assertThat(read.asByteArray()).isEqualTo(body);
      assertThat(read.response().contentType()).isEqualTo("image/jpeg");
      var range =
          s3.getObjectAsBytes(b -> b.bucket("photos").key("a/b c+é.bin").range("bytes=10-19"));
      assertThat(range.asByteArray()).isEqualTo(Arrays.copyOfRange(body, 10, 20));
    }
  }

  @ParameterizedTest
  @EnumSource
  void listsInOrderByPrefixAndDelimiter(Place place) {
    try (var store = start(place);
        var s3 = client(store.endpoint(), "demo", "demo-secret")) {
      s3.createBucket(b -> b.bucket("photos"));
      for (String key : List.of("b/2", "a", "b/1", "b/c/3", "d")) {
        s3.putObject(b -> b.bucket("photos").key(key), RequestBody.fromString(key));
      }
      var listing = s3.listObjectsV2(b -> b.bucket("photos").prefix("b/").delimiter("/"));
      assertThat(listing.contents()).extracting(o -> o.key()).containsExactly("b/1", "b/2");
      assertThat(listing.commonPrefixes()).extracting(p -> p.prefix()).containsExactly("b/c/");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/leading",
        "a//b",
        "a/../b",
        "..",
        ".",
        "folder/",
        "a/./",
        "a+b c/é//x%2Fy",
        "🚀",
        ".mpus",
      })
  void inMemoryAKeyIsOnlyText(String key) {
    try (var store = start(Place.MEMORY);
        var s3 = client(store.endpoint(), "demo", "demo-secret")) {
      s3.createBucket(b -> b.bucket("photos"));
      s3.putObject(b -> b.bucket("photos").key(key), RequestBody.fromString("body of " + key));
      var listed = s3.listObjectsV2(b -> b.bucket("photos")).contents();
      assertThat(listed).extracting(o -> o.key()).containsExactly(key);
      var read = s3.getObjectAsBytes(b -> b.bucket("photos").key(key));
      assertThat(read.asUtf8String()).isEqualTo("body of " + key);
      s3.copyObject(
          b ->
              b.sourceBucket("photos")
                  .sourceKey(key)
                  .destinationBucket("photos")
                  .destinationKey("z" + key));
      assertThat(s3.getObjectAsBytes(b -> b.bucket("photos").key("z" + key)).asUtf8String())
          .isEqualTo("body of " + key);
      s3.deleteObject(b -> b.bucket("photos").key(key));
      assertThat(s3.listObjectsV2(b -> b.bucket("photos")).contents()).hasSize(1);
    }
  }

  @Test
  void inMemoryAnObjectMayBeNamedLikeAFolder() {
    List<String> keys = List.of("a", "a-b", "a.b", "a/", "a//", "a//c", "a/b", "a/b/c", "a0");
    try (var store = start(Place.MEMORY);
        var s3 = client(store.endpoint(), "demo", "demo-secret")) {
      s3.createBucket(b -> b.bucket("photos"));
      keys.reversed()
          .forEach(
              key -> s3.putObject(b -> b.bucket("photos").key(key), RequestBody.fromString(key)));
      var pages = s3.listObjectsV2Paginator(b -> b.bucket("photos").maxKeys(2)).contents();
      assertThat(pages).extracting(o -> o.key()).containsExactlyElementsOf(keys);
      var folder = s3.listObjectsV2(b -> b.bucket("photos").prefix("a/").delimiter("/"));
      assertThat(folder.contents()).extracting(o -> o.key()).containsExactly("a/", "a/b");
      assertThat(folder.commonPrefixes())
          .extracting(p -> p.prefix())
          .containsExactly("a//", "a/b/");
      keys.forEach(
          key ->
              assertThat(s3.getObjectAsBytes(b -> b.bucket("photos").key(key)).asUtf8String())
                  .isEqualTo(key));
    }
  }

  @ParameterizedTest
  @EnumSource
  void joinsTheParts(Place place) {
    byte[] part = new byte[5 << 20];
    new Random(3).nextBytes(part);
    try (var store = start(place);
        var s3 = client(store.endpoint(), "demo", "demo-secret")) {
      s3.createBucket(b -> b.bucket("photos"));
      String key = "parts/a b";
      String id =
          s3.createMultipartUpload(b -> b.bucket("photos").key(key).contentType("image/tiff"))
              .uploadId();
      assertThat(s3.listMultipartUploads(b -> b.bucket("photos")).uploads())
          .extracting(u -> u.key())
          .containsExactly(key);
      var done = new ArrayList<CompletedPart>();
      for (int i = 1; i <= 2; i++) {
        int number = i;
        String tag =
            s3.uploadPart(
                    b -> b.bucket("photos").key(key).uploadId(id).partNumber(number),
                    RequestBody.fromBytes(part))
                .eTag();
        done.add(CompletedPart.builder().partNumber(i).eTag(tag).build());
      }
      assertThat(s3.listParts(b -> b.bucket("photos").key(key).uploadId(id)).parts()).hasSize(2);
      var whole =
          s3.completeMultipartUpload(
              b -> b.bucket("photos").key(key).uploadId(id).multipartUpload(m -> m.parts(done)));
      assertThat(whole.key()).isEqualTo(key);
      var read = s3.getObjectAsBytes(b -> b.bucket("photos").key(key));
      assertThat(read.response().contentType()).isEqualTo("image/tiff");
      assertThat(Arrays.copyOfRange(read.asByteArray(), 0, part.length)).isEqualTo(part);
      assertThat(Arrays.copyOfRange(read.asByteArray(), part.length, 2 * part.length))
          .isEqualTo(part);
    }
  }

  @Test
  void inMemoryItKeepsVersions() {
    try (var store = start(Place.MEMORY);
        var s3 = client(store.endpoint(), "demo", "demo-secret")) {
      s3.createBucket(b -> b.bucket("photos"));
      s3.putBucketVersioning(
          b -> b.bucket("photos").versioningConfiguration(v -> v.status("Enabled")));
      String first =
          s3.putObject(b -> b.bucket("photos").key("a//b"), RequestBody.fromString("1"))
              .versionId();
      String second =
          s3.putObject(b -> b.bucket("photos").key("a//b"), RequestBody.fromString("2"))
              .versionId();
      s3.deleteObject(b -> b.bucket("photos").key("a//b"));
      var listing = s3.listObjectVersions(b -> b.bucket("photos").prefix("a//"));
      // the JDK's client sends a request again when a kept connection breaks: more versions may be
      // there
      assertThat(listing.versions()).extracting(v -> v.versionId()).contains(first, second);
      assertThat(listing.versions()).extracting(v -> v.key()).containsOnly("a//b");
      assertThat(listing.deleteMarkers()).extracting(v -> v.key()).containsOnly("a//b");
      assertThat(first).isNotEqualTo(second);
      var old = s3.getObjectAsBytes(b -> b.bucket("photos").key("a//b").versionId(first));
      assertThat(old.asUtf8String()).isEqualTo("1");
    }
  }

  @Test
  void refusesAWrongSecret() {
    try (var store = start(Place.MEMORY);
        var s3 = client(store.endpoint(), "demo", "wrong")) {
      assertThatThrownBy(s3::listBuckets)
          .isInstanceOfSatisfying(
              S3Exception.class, e -> assertThat(e.statusCode()).isEqualTo(403));
    }
  }

  @Test
  void findsItsFilesAgainAfterARestart() {
    try (var store = start(Place.DISK);
        var s3 = client(store.endpoint(), "demo", "demo-secret")) {
      s3.createBucket(b -> b.bucket("photos"));
      s3.putObject(b -> b.bucket("photos").key("k"), RequestBody.fromString("kept"));
    }
    try (var store = start(Place.DISK);
        var s3 = client(store.endpoint(), "demo", "demo-secret")) {
      var read = s3.getObjectAsBytes(b -> b.bucket("photos").key("k"));
      assertThat(read.asString(StandardCharsets.UTF_8)).isEqualTo("kept");
    }
  }

  @Test
  void saysWhichPortIsTaken() {
    try (var store = start(Place.MEMORY)) {
      int port = store.endpoint().getPort();
      var same =
          new StoreOptions(
              "127.0.0.1", port, java.util.Optional.empty(), "demo", store.secretKey());
      assertThatThrownBy(() -> EmbeddedStore.start(same))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("cannot listen on 127.0.0.1:" + port);
    }
  }

  @Test
  void saysWhichDirectoryCannotBeUsed() throws Exception {
    Path file = Files.writeString(directory.resolve("file"), "");
    var options = StoreOptions.inMemory("demo", "demo-secret").in(file.resolve("below"));
    assertThatThrownBy(() -> EmbeddedStore.start(options))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining(file.resolve("below").toString());
  }

  private EmbeddedStore start(Place place) {
    var options = StoreOptions.inMemory("demo", "demo-secret");
    return EmbeddedStore.start(place == Place.DISK ? options.in(directory) : options);
  }

  static S3Client client(URI endpoint, String accessKey, String secretKey) {
    return S3Client.builder()
        .endpointOverride(endpoint)
        .region(Region.US_EAST_1)
        .forcePathStyle(true)
        .credentialsProvider(
            StaticCredentialsProvider.create(AwsBasicCredentials.create(accessKey, secretKey)))
        .httpClientBuilder(UrlConnectionHttpClient.builder())
        .build();
  }
}
