package io.penstock.gateway.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.penstock.config.TenantConfig.Access;
import io.penstock.gateway.http.HttpFields;
import io.penstock.gateway.http.RequestHead;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class S3RequestParserTest {
  private final S3RequestParser parser =
      new S3RequestParser(List.of("example.com", "s3.example.com"), StoreKind.OTHER);

  private S3Request parse(String method, String target, String... fields) {
    return parser.parse(new RequestHead(method, target, HttpFields.of(fields)));
  }

  private S3Exception refused(String method, String target, String... fields) {
    S3Exception refused =
        catchThrowableOfType(S3Exception.class, () -> parse(method, target, fields));
    assertThat(refused).as("%s %s is refused", method, target).isNotNull();
    return refused;
  }

  // --- operations ---

  @ParameterizedTest
  @CsvSource({
    "GET, /, ListBuckets",
    "GET, /?x-id=ListBuckets, ListBuckets",
    "GET, /b, ListObjects",
    "GET, /b/?list-type=2&prefix=x, ListObjectsV2",
    "GET, /b?list-type=2&metadata=true, ListObjectsV2",
    "GET, /b?allow-unordered=true, ListObjects",
    "GET, /b?list-type=2&marker=x&start-after=x, ListObjectsV2",
    "GET, /b/k, GetObject",
    "GET, /b/k?x-id=GetObject, GetObject",
    "GET, /b/k?partNumber=2, GetObject",
    "HEAD, /b/k, HeadObject",
    "PUT, /b/k, PutObject",
    "PUT, /b/k?x-minio-thing=1, PutObject",
    "PUT, /b/k?append&position=0, AppendObject",
    "PUT, /b/k?partNumber=1&uploadId=u, UploadPart",
    "POST, /b/k?uploadId=u, CompleteMultipartUpload",
    "POST, /b?delete, DeleteObjects",
    "POST, /b/?delete=, DeleteObjects",
    "GET, /b?inventory, ListBucketInventoryConfigurations",
    "GET, /b?inventory&id=1, GetBucketInventoryConfiguration",
    "OPTIONS, /b/k, OptionsObject",
  })
  void namesTheOperation(String method, String target, String name) {
    assertThat(parse(method, target).operation().name()).isEqualTo(name);
  }

  @ParameterizedTest
  @CsvSource({
    "GET, /b?newThing, NOT_IMPLEMENTED",
    "GET, /b?newThing=1, NOT_IMPLEMENTED",
    "PUT, /b/k?newThing=1, NOT_IMPLEMENTED",
    "GET, /b/k?newThing, NOT_IMPLEMENTED",
    "GET, /b/k?ACL, NOT_IMPLEMENTED",
    "GET, /b?legal-hold, INVALID_ARGUMENT",
    "GET, /b/k?lambdaArn=x, NOT_IMPLEMENTED",
    "GET, /?usage, NOT_IMPLEMENTED",
    "POST, /, NOT_IMPLEMENTED",
    "POST, /b, NOT_IMPLEMENTED",
    "POST, /b/k, METHOD_NOT_ALLOWED",
    "PUT, /, METHOD_NOT_ALLOWED",
    "DELETE, /b/k?acl, METHOD_NOT_ALLOWED",
    "HEAD, /b/k?tagging, METHOD_NOT_ALLOWED",
    "PATCH, /b/k, METHOD_NOT_ALLOWED",
    "get, /b/k, METHOD_NOT_ALLOWED",
    "GET, /b?acl&policy, INVALID_ARGUMENT",
    "PUT, /b/k?uploadId=u, INVALID_ARGUMENT",
    "PUT, /b/k?partNumber=1, INVALID_ARGUMENT",
    "PUT, /b/k?versionId=1, INVALID_ARGUMENT",
    "PUT, /b?metrics, INVALID_ARGUMENT",
    "GET, /b?prefix=a&prefix=b, INVALID_ARGUMENT",
    "GET, /b/k?versionId=1&versionId=2, INVALID_ARGUMENT",
    "GET, /b?acl&acl, INVALID_ARGUMENT",
    "DELETE, /b/k?id=1, INVALID_ARGUMENT",
    "GET, /b/k?policy, INVALID_ARGUMENT",
  })
  void refusesWhatItDoesNotUnderstand(String method, String target, S3Error error) {
    assertThat(refused(method, target).error()).isEqualTo(error);
  }

  @ParameterizedTest
  @CsvSource({
    "PUT, /b/k?annotation&annotationName=a, PutObjectAnnotation",
    "DELETE, /b/k?annotation&annotationName=a, DeleteObjectAnnotation",
    "PUT, /b/k?encryption, UpdateObjectEncryption",
    "DELETE, /b?inventory&id=1, DeleteBucketInventoryConfiguration",
    "DELETE, /b?metadataTable, DeleteBucketMetadataTableConfiguration",
  })
  void aStoreThatMightOverwriteOrDeleteInsteadIsNotAsked(
      String method, String target, String name) {
    assertThat(refused(method, target)).hasMessageStartingWith(name + " is not implemented");
    assertThat(
            new S3RequestParser(List.of(), StoreKind.AMAZON)
                .parse(new RequestHead(method, target, HttpFields.EMPTY))
                .operation()
                .name())
        .isEqualTo(name);
  }

  @Test
  void amazonIsKnownByItsHosts() {
    URI amazon = URI.create("https://s3.eu-central-1.amazonaws.com");
    URI other = URI.create("http://127.0.0.1:8333");
    URI similar = URI.create("https://evilamazonaws.com");
    assertThat(StoreKind.of(List.of(amazon))).isEqualTo(StoreKind.AMAZON);
    assertThat(StoreKind.of(List.of(amazon, other))).isEqualTo(StoreKind.OTHER);
    assertThat(StoreKind.of(List.of(similar))).isEqualTo(StoreKind.OTHER);
  }

  @Test
  void aFormUploadIsNotTakenForAnything() {
    assertThat(refused("POST", "/b", "content-type", "multipart/form-data; boundary=x"))
        .hasMessageStartingWith("PostObject is not implemented");
  }

  @Test
  void aReadIgnoresWhatS3Ignores() {
    assertThat(parse("GET", "/b/k?v=123&versionId=7&x-id=GetObject").target().query())
        .isEqualTo(Query.parse("versionId=7&x-id=GetObject"));
    assertThat(parse("HEAD", "/b/k?id=5&id=6&policy=x").target().query()).isEqualTo(Query.EMPTY);
  }

  @Test
  void theMessageForAnUnknownParameterIsShortAndClean() {
    String name = "%0d%0a%3Cb%3E" + "y".repeat(10_000);
    assertThat(refused("GET", "/b?" + name).getMessage())
        .hasSizeLessThan(250)
        .doesNotContain("\r", "\n", "<");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/minio/admin/v3/list-users",
        "/minio/admin",
        "/minio/kms/v1/status",
        "/minio/v2/metrics/cluster",
        "/minio%2Fadmin%2Fv3/info",
        "/admin/user",
        "/admin/usage",
        "/admin/metadata/user"
      })
  void administrationOfTheStoreIsNotReachable(String target) {
    assertThat(refused("GET", target).error()).isEqualTo(S3Error.NOT_IMPLEMENTED);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/minio/data/x", "/minio", "/admin/users", "/admin/k", "/b/admin/user"})
  void bucketsWithSuchNamesStayUsable(String target) {
    assertThat(parse("GET", target).target().bucket()).isNotEmpty();
  }

  // --- bodies, repeats ---

  @ParameterizedTest
  @CsvSource({
    "GET, /b/k, NONE, true",
    "PUT, /b/k, STREAM, true",
    "PUT, /b/k?partNumber=1&uploadId=u, STREAM, true",
    "PUT, /b/k?append&position=0, STREAM, false",
    "DELETE, /b/k, NONE, true",
    "POST, /b/k?uploads, NONE, false",
    "POST, /b/k?uploadId=u, DOCUMENT, false",
    "POST, /b?delete, DOCUMENT, true",
    "POST, /b/k?select&select-type=2, DOCUMENT, true",
    "POST, /b/k?restore, DOCUMENT, false",
    "PUT, /b?lifecycle, DOCUMENT, true",
    "PUT, /b, DOCUMENT, true",
  })
  void knowsBodyAndIdempotence(String method, String target, BodyKind body, boolean idempotent) {
    S3Operation operation = parse(method, target).operation();
    assertThat(operation.body()).isEqualTo(body);
    assertThat(operation.idempotent()).isEqualTo(idempotent);
  }

  @Test
  void aConditionalWriteIsNotRepeated() {
    assertThat(parse("PUT", "/b/k", "If-None-Match", "*").operation().idempotent()).isFalse();
    assertThat(parse("DELETE", "/b/k", "if-match", "\"e\"").operation().idempotent()).isFalse();
    assertThat(parse("GET", "/b/k?tagging", "if-match", "\"e\"").operation().idempotent()).isTrue();
  }

  // --- needs ---

  @Test
  void aCopyReadsItsSourceAndWritesItsTarget() {
    S3Request copy = parse("PUT", "/to/key", "x-amz-copy-source", "/from/a+b%20c?versionId=v%2B1");
    assertThat(copy.operation())
        .isInstanceOfSatisfying(
            S3Operation.Copy.class,
            operation ->
                assertThat(operation.source())
                    .isEqualTo(new CopySource("from", "a+b c", Optional.of("v+1"))));
    assertThat(copy.operation().name()).isEqualTo("CopyObject");
    assertThat(copy.operation().body()).isEqualTo(BodyKind.NONE);
    assertThat(copy.operation().needs(copy.target()))
        .containsExactlyInAnyOrder(
            AccessNeed.object("to", "key", Access.WRITE),
            AccessNeed.object("from", "a+b c", Access.READ));
  }

  @Test
  void aCopySourceInAPresignedQueryCountsAsWell() {
    S3Request copy = parse("PUT", "/to/key?X-Amz-Copy-Source=from%2Fk&X-Amz-Signature=x");
    assertThat(copy.operation().name()).isEqualTo("CopyObject");
    assertThat(copy.operation().needs(copy.target()))
        .contains(AccessNeed.object("from", "k", Access.READ));
    assertThat(copy.target().query()).isEqualTo(Query.EMPTY);
  }

  @Test
  void twoCopySourcesAreRefused() {
    assertThat(
            refused("PUT", "/b/k", "x-amz-copy-source", "a/k", "X-Amz-Copy-Source", "b/k").error())
        .isEqualTo(S3Error.INVALID_ARGUMENT);
  }

  @ParameterizedTest
  @CsvSource({
    "'', INVALID_ARGUMENT",
    "bucket, INVALID_ARGUMENT",
    "/bucket, INVALID_ARGUMENT",
    "bucket/, INVALID_ARGUMENT",
    "//key, INVALID_ARGUMENT",
    "b/%zz, INVALID_ARGUMENT",
    "b/%ff, INVALID_ARGUMENT",
    "b%00/k, INVALID_ARGUMENT",
    "arn:aws:s3:us-east-1:123456789012:accesspoint/ap/object/k, NOT_IMPLEMENTED",
    "/arn:aws:s3-outposts:us-east-1:123456789012:outpost/o/object/k, NOT_IMPLEMENTED",
  })
  void refusesCopySourcesThatNameNoObject(String source, S3Error error) {
    assertThat(refused("PUT", "/b/k", "x-amz-copy-source", source).error()).isEqualTo(error);
  }

  @ParameterizedTest
  @CsvSource({
    "GET, /b, b, '', LISTING, READ",
    "GET, /b?prefix=a%2Fb, b, a/b, LISTING, READ",
    "GET, /b?versions&prefix=p, b, p, LISTING, READ",
    "GET, /b?uploads&prefix=p, b, p, LISTING, WRITE",
    "HEAD, /b, b, '', BUCKET, READ",
    "GET, /b?location, b, '', BUCKET, READ",
    "GET, /b?policy, b, '', BUCKET, ADMIN",
    "PUT, /b, b, '', BUCKET, ADMIN",
    "GET, /b/k, b, k, OBJECT, READ",
    "DELETE, /b/k?versionId=1, b, k, OBJECT, WRITE",
    "GET, /b/k?uploadId=1, b, k, OBJECT, WRITE",
    "PUT, /b/k?acl, b, k, OBJECT, ADMIN",
    "PUT, /b/k?tagging, b, k, OBJECT, WRITE",
  })
  void asksForTheAccessItNeeds(
      String method,
      String target,
      String bucket,
      String key,
      AccessNeed.Scope scope,
      Access access) {
    S3Request request = parse(method, target);
    assertThat(request.operation().needs(request.target()))
        .containsExactly(new AccessNeed(bucket, key, scope, access));
  }

  @ParameterizedTest
  @CsvSource({
    "x-amz-acl, private, false",
    "x-amz-acl, bucket-owner-full-control, false",
    "x-amz-acl, public-read, true",
    "X-Amz-Grant-Read, id=1, true",
    "x-amz-bypass-governance-retention, true, true",
    "x-amz-bypass-governance-retention, false, false",
  })
  void whatReachesPastThePolicyNeedsAdmin(String name, String value, boolean admin) {
    AccessNeed need = AccessNeed.object("b", "k", Access.ADMIN);
    S3Request put = parse("PUT", "/b/k", name, value);
    assertThat(put.operation().needs(put.target()).contains(need)).isEqualTo(admin);
    S3Request hoisted = parse("PUT", "/b/k?" + name + "=" + value);
    assertThat(hoisted.operation().needs(hoisted.target()).contains(need)).isEqualTo(admin);
    S3Request delete = parse("POST", "/b?delete", name, value);
    assertThat(
            ((S3Operation.DeleteObjects) delete.operation())
                .needs(delete.target(), List.of("k"))
                .contains(need))
        .isEqualTo(admin);
  }

  @Test
  void deletingManyKeysNeedsEachOfThem() {
    S3Request delete = parse("POST", "/b?delete");
    assertThat(
            ((S3Operation.DeleteObjects) delete.operation())
                .needs(delete.target(), List.of("x", "y")))
        .containsExactly(
            AccessNeed.object("b", "x", Access.WRITE), AccessNeed.object("b", "y", Access.WRITE));
  }

  // --- the query ---

  @Test
  void signatureParametersDoNotGoOn() {
    assertThat(
            parse(
                    "GET",
                    "/b/k?X-Amz-Algorithm=A&X-Amz-Credential=c&X-Amz-Date=d&X-Amz-Expires=1"
                        + "&X-Amz-SignedHeaders=host&versionId=a%2Bb&X-Amz-Security-Token=t"
                        + "&X-Amz-Signature=s&AWSAccessKeyId=x&Signature=y&Expires=1")
                .target()
                .query())
        .isEqualTo(new Query(List.of(new Query.Parameter("versionId", "a+b"))));
  }

  @Test
  void aPlusInAQueryIsASpace() {
    assertThat(parse("GET", "/b?prefix=a+b%2Bc&delimiter=/").target().query().encoded())
        .isEqualTo("prefix=a%20b%2Bc&delimiter=%2F");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "x-amz-meta-a%0d%0aevil=1",
        "x-amz-meta-a=1%0d%0aevil:%202",
        "x-amz-acl%20=private",
        "x-amz-meta-a=%00"
      })
  void aParameterThatStandsForAFieldCannotSmuggleOne(String query) {
    assertThat(refused("PUT", "/b/k?" + query).error()).isEqualTo(S3Error.INVALID_ARGUMENT);
  }

  @Test
  void piecesWithoutNameAreSkipped() {
    assertThat(parse("GET", "/b?&prefix=x&&").target().query()).isEqualTo(Query.parse("prefix=x"));
  }

  @Test
  void knowsThatOnlySignersMayChooseResponseFields() {
    assertThat(parse("GET", "/b/k?response-content-type=text/html").overridesResponse()).isTrue();
    assertThat(parse("GET", "/b/k?versionId=1").overridesResponse()).isFalse();
  }
}
