package io.penstock.gateway.tenant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.penstock.gateway.embedded.EmbeddedStore;
import io.penstock.gateway.embedded.StoreOptions;
import io.penstock.gateway.testing.Stack;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.Bucket;
import software.amazon.awssdk.services.s3.model.ObjectCannedACL;
import software.amazon.awssdk.services.s3.model.ObjectIdentifier;
import software.amazon.awssdk.services.s3.model.S3Exception;
import software.amazon.awssdk.services.s3.model.S3Object;

/** Two tenants and a stranger in front of one store; what happened is looked up in the store. */
class TenantPolicyIT {
  private static final String CONFIGURATION =
      """
      limits: {max-metadata: 2KiB}
      tenants:
        - name: team
          access-key: team
          secret-key: team-secret
          policy:
            rules:
              - {bucket: data, prefix: team/, access: [read, write]}
              - {bucket: shared, access: [read]}
        - name: web
          anonymous: true
          policy: {rules: [{bucket: shared, access: [read]}]}
      """;
  private static EmbeddedStore store;
  private static Stack stack;
  private static S3Client team;
  private static S3Client direct;

  @BeforeAll
  static void start() throws Exception {
    store = EmbeddedStore.start(StoreOptions.inMemory("ak", "sk"));
    stack = Stack.start(store.endpoint(), "ak", "sk", CONFIGURATION);
    team = Stack.client(stack.s3(), "team", "team-secret");
    direct = Stack.client(store.endpoint(), "ak", "sk");
    for (String bucket : List.of("data", "shared", "secret")) {
      direct.createBucket(create -> create.bucket(bucket));
    }
  }

  @AfterAll
  static void stop() throws Exception {
    direct.close();
    team.close();
    stack.close();
    store.close();
  }

  @BeforeEach
  void fill() {
    stored("data").forEach(key -> direct.deleteObject(d -> d.bucket("data").key(key)));
    for (String key : List.of("team/a+b c", "team/é//x%2Fy", "other/k")) {
      put(direct, "data", key);
    }
    put(direct, "shared", "k");
    put(direct, "secret", "k");
  }

  private static void put(S3Client client, String bucket, String key) {
    client.putObject(put -> put.bucket(bucket).key(key), RequestBody.fromString(bucket + key));
  }

  private static Stream<String> stored(String bucket) {
    return direct.listObjectsV2(list -> list.bucket(bucket)).contents().stream().map(S3Object::key);
  }

  private static void denied(ThrowingCallable call) {
    S3Exception refused = catchThrowableOfType(S3Exception.class, call);
    assertThat(refused).isNotNull();
    assertThat(refused.statusCode()).isEqualTo(403);
    assertThat(refused.awsErrorDetails().errorCode()).isEqualTo("AccessDenied");
  }

  @Test
  void seesItsBucketsOnly() {
    assertThat(team.listBuckets().buckets())
        .extracting(Bucket::name)
        .containsExactlyInAnyOrder("data", "shared");
    assertThat(team.headBucket(head -> head.bucket("data")).sdkHttpResponse().statusCode())
        .isEqualTo(200);
    assertThat(
            catchThrowableOfType(
                    S3Exception.class, () -> team.headBucket(head -> head.bucket("secret")))
                .statusCode())
        .isEqualTo(403);
  }

  @Test
  void listsItsPrefixOnly() {
    assertThat(team.listObjectsV2(list -> list.bucket("data").prefix("team/")).contents())
        .extracting(S3Object::key)
        .containsExactlyInAnyOrder("team/a+b c", "team/é//x%2Fy");
    denied(() -> team.listObjectsV2(list -> list.bucket("data")));
    denied(() -> team.listObjectsV2(list -> list.bucket("data").prefix("team")));
    denied(() -> team.listObjectVersions(list -> list.bucket("data").prefix("other/")));
  }

  @Test
  void writesItsPrefixOnly() {
    put(team, "data", "team/new");
    assertThat(stored("data")).contains("team/new");
    denied(() -> put(team, "data", "other/new"));
    denied(() -> put(team, "data", "team/../other/new"));
    denied(() -> put(team, "shared", "new"));
    assertThat(stored("data")).doesNotContain("other/new", "team/../other/new");
    assertThat(stored("shared")).containsExactly("k");
  }

  @Test
  void copiesOnlyWhatItMayRead() {
    team.copyObject(
        copy ->
            copy.sourceBucket("data")
                .sourceKey("team/a+b c")
                .destinationBucket("data")
                .destinationKey("team/copy+of é"));
    assertThat(
            direct.getObjectAsBytes(get -> get.bucket("data").key("team/copy+of é")).asUtf8String())
        .isEqualTo("datateam/a+b c");
    denied(
        () ->
            team.copyObject(
                copy ->
                    copy.sourceBucket("secret")
                        .sourceKey("k")
                        .destinationBucket("data")
                        .destinationKey("team/stolen")));
    assertThat(stored("data")).doesNotContain("team/stolen");
  }

  @Test
  void oneForbiddenKeyDeletesNothing() {
    denied(() -> delete("team/a+b c", "other/k"));
    assertThat(stored("data")).contains("team/a+b c", "other/k");
    delete("team/a+b c", "team/é//x%2Fy");
    assertThat(stored("data")).doesNotContain("team/a+b c", "team/é//x%2Fy").contains("other/k");
  }

  private static void delete(String... keys) {
    team.deleteObjects(
        delete ->
            delete
                .bucket("data")
                .delete(
                    d ->
                        d.objects(
                            Stream.of(keys)
                                .map(key -> ObjectIdentifier.builder().key(key).build())
                                .toList())));
  }

  @Test
  void settingsAndPublicAclsNeedAdmin() {
    denied(() -> team.getBucketPolicy(get -> get.bucket("data")));
    denied(() -> team.deleteBucket(delete -> delete.bucket("shared")));
    denied(
        () ->
            team.putObject(
                put -> put.bucket("data").key("team/open").acl(ObjectCannedACL.PUBLIC_READ),
                RequestBody.empty()));
    assertThat(stored("data")).doesNotContain("team/open");
  }

  @Test
  void tooMuchMetadataIsRefused() {
    S3Exception refused =
        catchThrowableOfType(
            S3Exception.class,
            () ->
                team.putObject(
                    put -> put.bucket("data").key("team/m").metadata(Map.of("a", "x".repeat(2048))),
                    RequestBody.empty()));
    assertThat(refused.awsErrorDetails().errorCode()).isEqualTo("MetadataTooLarge");
    team.putObject(
        put -> put.bucket("data").key("team/m").metadata(Map.of("a", "x".repeat(2047))),
        RequestBody.empty());
    assertThat(direct.headObject(head -> head.bucket("data").key("team/m")).metadata().get("a"))
        .hasSize(2047);
  }

  @Test
  void aStrangerReadsWhatIsOpenAndChoosesNoFields() throws Exception {
    try (HttpClient browser = HttpClient.newHttpClient()) {
      assertThat(get(browser, "/shared/k").body()).isEqualTo("sharedk");
      assertThat(get(browser, "/shared/k?v=123").body()).isEqualTo("sharedk");
      assertThat(get(browser, "/secret/k").body()).contains("<Code>AccessDenied</Code>");
      assertThat(get(browser, "/shared/k?response-content-type=text/html").body())
          .contains("<Code>InvalidRequest</Code>");
    }
  }

  private static HttpResponse<String> get(HttpClient browser, String path) throws Exception {
    return browser.send(
        HttpRequest.newBuilder(URI.create(stack.s3() + path)).build(),
        HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8));
  }
}
