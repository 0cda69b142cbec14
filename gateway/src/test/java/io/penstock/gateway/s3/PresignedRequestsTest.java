package io.penstock.gateway.s3;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.config.TenantConfig.Access;
import io.penstock.gateway.http.HttpFields;
import io.penstock.gateway.http.RequestHead;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.presigner.PresignedRequest;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Configuration;
import software.amazon.awssdk.services.s3.model.ObjectCannedACL;
import software.amazon.awssdk.services.s3.presigner.S3Presigner;

/** URLs that the SDK presigned, used by somebody who has nothing but the URL. */
class PresignedRequestsTest {
  private static final Duration HOUR = Duration.ofHours(1);
  private static final String KEY = "a+b c/é//x%2Fy";
  private static S3Presigner presigner;

  private final S3RequestParser parser = new S3RequestParser(List.of(), StoreKind.OTHER);

  @BeforeAll
  static void open() {
    presigner =
        S3Presigner.builder()
            .endpointOverride(URI.create("http://gateway.example.org:9000"))
            .serviceConfiguration(S3Configuration.builder().pathStyleAccessEnabled(true).build())
            .region(Region.US_EAST_1)
            .credentialsProvider(
                StaticCredentialsProvider.create(
                    AwsSessionCredentials.create("AKID", "secret", "token")))
            .build();
  }

  @AfterAll
  static void close() {
    presigner.close();
  }

  private static RequestHead head(PresignedRequest request) {
    return SdkRequests.head(request.httpRequest());
  }

  @Test
  void aDownloadKeepsOnlyWhatTheStoreMustKnow() {
    RequestHead head =
        head(
            presigner.presignGetObject(
                presign ->
                    presign
                        .signatureDuration(HOUR)
                        .getObjectRequest(
                            get ->
                                get.bucket("b")
                                    .key(KEY)
                                    .versionId("v+1")
                                    .responseContentType("text/plain; charset=utf-8"))));
    S3Request request = parser.parse(head);
    assertThat(head.rawQuery()).contains("X-Amz-Signature", "X-Amz-Security-Token");
    assertThat(request.operation()).isEqualTo(new S3Operation.GetObject());
    assertThat(request.target().key()).isEqualTo(KEY);
    assertThat(request.target().query().parameters())
        .containsExactlyInAnyOrder(
            new Query.Parameter("versionId", "v+1"),
            new Query.Parameter("response-content-type", "text/plain; charset=utf-8"));
    assertThat(ForwardedFields.request(head, request.operation())).isEqualTo(HttpFields.EMPTY);
  }

  @Test
  void anUploadWithAPublicAclNeedsAdminHoweverItIsWritten() {
    PresignedRequest presigned =
        presigner.presignPutObject(
            presign ->
                presign
                    .signatureDuration(HOUR)
                    .putObjectRequest(
                        put ->
                            put.bucket("b")
                                .key(KEY)
                                .acl(ObjectCannedACL.PUBLIC_READ)
                                .metadata(Map.of("owner", "me"))));
    S3Request request = parser.parse(head(presigned));
    assertThat(request.operation().name()).isEqualTo("PutObject");
    assertThat(request.operation().needs(request.target()))
        .containsExactlyInAnyOrder(
            AccessNeed.object("b", KEY, Access.WRITE), AccessNeed.object("b", KEY, Access.ADMIN));
    HttpFields fields = ForwardedFields.request(head(presigned), request.operation());
    assertThat(fields.get("x-amz-acl")).contains("public-read");
    assertThat(fields.get("x-amz-meta-owner")).contains("me");
  }

  @Test
  void aPartKeepsItsNumberAndUpload() {
    S3Request request =
        parser.parse(
            head(
                presigner.presignUploadPart(
                    presign ->
                        presign
                            .signatureDuration(HOUR)
                            .uploadPartRequest(
                                part -> part.bucket("b").key(KEY).uploadId("u/1").partNumber(3)))));
    assertThat(request.operation().name()).isEqualTo("UploadPart");
    assertThat(request.target().query().get("uploadId")).contains("u/1");
    assertThat(request.target().query().get("partNumber")).contains("3");
  }
}
