package io.penstock.gateway.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.penstock.gateway.http.HttpFields;
import io.penstock.gateway.http.RequestHead;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Bucket and key, through the parser. */
class RequestAddressTest {
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

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "localhost:9000 | /b/k | b | k",
        "localhost | /b | b | ''",
        "localhost | /b/ | b | ''",
        "localhost | /b// | b | /",
        "localhost | /b//k | b | /k",
        "localhost | /b/a/../c/./d/ | b | a/../c/./d/",
        "localhost | /b/.. | b | ..",
        "localhost | /b/a+b%2Bc%20d | b | a+b+c d",
        "localhost | /b/x%2Fy | b | x/y",
        "localhost | /b/%252F | b | %2F",
        "localhost | /b/a%3Fb | b | a?b",
        "localhost | /b/é | b | é",
        "localhost | /b/%C3%A9%F0%9F%98%80 | b | é😀",
        "example.com | /b/k | b | k",
        "EXAMPLE.com.:80 | /b/k | b | k",
        "b.example.com | /k | b | k",
        "B.Example.Com:8080 | /k/l | b | k/l",
        "b.example.com | / | b | ''",
        "b.example.com | //k | b | /k",
        "a.b.example.com | /k | a.b | k",
        "b.s3.example.com | /k | b | k",
        "s3.example.com | /b/k | b | k",
        "notexample.com | /b/k | b | k",
        "[::1]:9000 | /b/k | b | k",
        "10.0.0.1 | /b/k | b | k",
        "localhost:9000 | http://localhost:9000/b/k | b | k",
        "b.example.com | HTTPS://b.example.com:443/k | b | k",
      })
  void readsBucketAndKey(String host, String target, String bucket, String key) {
    // the HTTP layer hands over one character for each byte of the request line
    String wire = new String(target.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
    S3Target parsed = parse("PUT", wire, "Host", host).target();
    assertThat(parsed.bucket()).isEqualTo(bucket);
    assertThat(parsed.key()).isEqualTo(key);
  }

  @ParameterizedTest
  @CsvSource({
    "//k, INVALID_BUCKET_NAME",
    "/..%2Fb/k, INVALID_BUCKET_NAME",
    "/a..b/k, INVALID_BUCKET_NAME",
    "/b%00/k, INVALID_BUCKET_NAME",
    "/b%20c/k, INVALID_BUCKET_NAME",
    "/b%0d%0ax/k, INVALID_BUCKET_NAME",
    "/%C3%A9/k, INVALID_BUCKET_NAME",
    "/b/%, INVALID_URI",
    "/b/%4, INVALID_URI",
    "/b/%4x, INVALID_URI",
    "/b/%+1, INVALID_URI",
    "/b/%C0%AF, INVALID_URI",
    "/b/%ED%A0%80, INVALID_URI",
    "/b/%F4%90%80%80, INVALID_URI",
    "/b/%FF, INVALID_URI",
    "/b/k?versionId=%zz, INVALID_URI",
    "/b/k?versionId=%FF, INVALID_URI",
    "*, INVALID_URI",
    "b/k, INVALID_URI",
    "'', INVALID_URI",
    "ftp://localhost/b/k, INVALID_URI",
    "http://other/b/k, INVALID_URI",
    "http://localhost@other/b/k, INVALID_URI",
  })
  void refusesAddressesThatCanBeMisread(String target, S3Error error) {
    assertThat(refused("GET", target, "Host", "localhost").error()).isEqualTo(error);
  }

  @Test
  void twoHostsAreRefused() {
    assertThat(refused("GET", "/k", "Host", "a.example.com", "Host", "b.example.com").error())
        .isEqualTo(S3Error.INVALID_REQUEST);
  }

  /** s3fs asks for its longest keys with a slash behind them and lives on the store's 404. */
  @Test
  void howLongAKeyMayBeIsLeftToTheStore() {
    String key = "é".repeat(512) + "/";
    assertThat(parse("GET", "/b/" + UriEncoding.encodePath(key)).target().key()).isEqualTo(key);
  }

  @Test
  void controlCharactersMayBeInAKey() {
    assertThat(parse("GET", "/b/%00%01%0A").target().key()).isEqualTo("\0\1\n");
  }

  @Test
  void theGatewaysOwnPathsAreReserved() {
    assertThat(parse("POST", "/-/batch/v1?a=b").operation())
        .isEqualTo(new S3Operation.Reserved("batch/v1"));
    assertThat(parse("GET", "/-x/k").operation().name()).isEqualTo("GetObject");
    assertThat(parse("GET", "/-/k", "Host", "b.example.com").target().key()).isEqualTo("-/k");
  }
}
