package io.penstock.gateway.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.penstock.gateway.http.RequestHead;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every operation of the AWS SDK's service model, as the SDK itself writes it on the wire. */
class SdkOperationsTest {
  private static final String BUCKET = "some-bucket";
  private static final String KEY = "a+b c/é//x%2Fy";
  private static final Set<String> NOT_PASSED =
      Set.of("CreateSession", "ListDirectoryBuckets", "RenameObject", "WriteGetObjectResponse");

  private static SdkRequests path;
  private static SdkRequests virtualHost;
  private final S3RequestParser parser =
      new S3RequestParser(List.of("s3.example.com"), StoreKind.AMAZON);

  @BeforeAll
  static void open() {
    path = new SdkRequests(URI.create("http://gateway.example.org:9000"), true);
    virtualHost = new SdkRequests(URI.create("http://s3.example.com:9000"), false);
  }

  @AfterAll
  static void close() {
    path.close();
    virtualHost.close();
  }

  static Stream<Arguments> requests() {
    return SdkRequests.operations().keySet().stream()
        .flatMap(
            name ->
                Stream.of(
                    arguments(name, false, false),
                    arguments(name, true, false),
                    arguments(name, false, true),
                    arguments(name, true, true)));
  }

  @ParameterizedTest(name = "{0} everything={1} virtual-host={2}")
  @MethodSource("requests")
  void parsesToTheOperationOfTheSameName(String name, boolean everything, boolean host) {
    RequestHead head = (host ? virtualHost : path).of(name, everything, given());
    if (name.equals("ListDirectoryBuckets") && !everything) {
      // the same bytes as ListBuckets: AWS tells them apart by a host of its own
      assertThat(parser.parse(head).operation().name()).isEqualTo("ListBuckets");
    } else if (NOT_PASSED.contains(name)) {
      S3Exception refused = catchThrowableOfType(S3Exception.class, () -> parser.parse(head));
      assertThat(refused.error()).isEqualTo(S3Error.NOT_IMPLEMENTED);
      assertThat(refused).hasMessageStartingWith(name + " ");
    } else {
      S3Request request = parser.parse(head);
      assertThat(request.operation().name()).isEqualTo(name);
      assertThat(request.target().bucket()).isIn("", BUCKET);
      assertThat(request.target().key()).isIn("", KEY);
      assertThat(request.target().isService()).isEqualTo(name.equals("ListBuckets"));
    }
  }

  @Test
  void everyOperationOfTheModelIsKnown() {
    assertThat(SdkRequests.operations()).hasSizeGreaterThan(100);
    assertThat(Stream.of(S3Action.values()).map(S3Action::apiName))
        .containsAll(
            SdkRequests.operations().keySet().stream()
                .filter(name -> !name.equals("WriteGetObjectResponse"))
                .toList());
  }

  private static Map<String, Object> given() {
    return Map.ofEntries(
        Map.entry("Bucket", BUCKET),
        Map.entry("Key", KEY),
        Map.entry("DestinationBucket", BUCKET),
        Map.entry("DestinationKey", KEY),
        Map.entry("SourceBucket", "source-bucket"),
        Map.entry("SourceKey", "s+o u/é"),
        Map.entry("ExpectedBucketOwner", "123456789012"));
  }
}
