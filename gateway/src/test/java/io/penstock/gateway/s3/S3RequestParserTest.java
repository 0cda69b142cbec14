package io.penstock.gateway.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.gateway.http.HttpFields;
import io.penstock.gateway.http.RequestHead;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class S3RequestParserTest {
  private final S3RequestParser parser =
      new S3RequestParser(List.of("s3.example.com", "example.com"));

  private S3Request parse(String method, String target, String... fields) {
    return parser.parse(new RequestHead(method, target, HttpFields.of(fields)));
  }

  @ParameterizedTest
  @CsvSource({
    "GET, /, ListBuckets",
    "GET, /b, ListObjects",
    "GET, /b/?list-type=2&prefix=x, ListObjectsV2",
    "GET, /b/k, GetObject",
    "HEAD, /b/k, HeadObject",
    "PUT, /b/k, PutObject",
    "PUT, /b/k?partNumber=1&uploadId=u, UploadPart",
    "POST, /b/k?uploadId=u, CompleteMultipartUpload",
    "POST, /b?delete, DeleteObjects",
    "GET, /b?inventory, ListBucketInventoryConfigurations",
    "GET, /b?inventory&id=1, GetBucketInventoryConfiguration",
    "OPTIONS, /b/k, OptionsObject",
  })
  void namesTheOperation(String method, String target, String name) {
    assertThat(parse(method, target).operation().name()).isEqualTo(name);
  }

  @Test
  void refusesASubResourceItDoesNotKnow() {
    assertThatThrownBy(() -> parse("GET", "/b?newThing"))
        .isInstanceOfSatisfying(
            S3Exception.class, e -> assertThat(e.error()).isEqualTo(S3Error.NOT_IMPLEMENTED));
  }
}
