package io.penstock.gateway.s3;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.gateway.http.RequestHead;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

/** Any key, as the SDK marshals it into a path or a copy source, is the same key to the gateway. */
class SdkKeysProperties {
  private static SdkRequests path;
  private static SdkRequests host;
  private final S3RequestParser parser =
      new S3RequestParser(List.of("s3.example.com"), StoreKind.OTHER);

  @BeforeContainer
  static void open() {
    path = new SdkRequests(URI.create("http://gateway.example.org"), true);
    host = new SdkRequests(URI.create("http://s3.example.com"), false);
  }

  @AfterContainer
  static void close() {
    path.close();
    host.close();
  }

  @Provide
  Arbitrary<String> keys() {
    return UriEncodingProperties.keys();
  }

  @Property(tries = 200)
  void anObjectIsFoundUnderItsKey(@ForAll("keys") String key) {
    for (SdkRequests sdk : List.of(path, host)) {
      RequestHead head =
          SdkRequests.catching(
              () -> sdk.client().headObject(request -> request.bucket("bucket").key(key)));
      assertThat(parser.parse(head).target()).isEqualTo(new S3Target("bucket", key, Query.EMPTY));
    }
  }

  @Property(tries = 100)
  void aListingHasItsPrefix(@ForAll("keys") String prefix) {
    RequestHead head =
        SdkRequests.catching(
            () -> path.client().listObjectsV2(request -> request.bucket("bucket").prefix(prefix)));
    assertThat(parser.parse(head).target().query().get("prefix")).contains(prefix);
  }

  @Property(tries = 100)
  void aCopyHasItsSource(@ForAll("keys") String key) {
    RequestHead head =
        SdkRequests.catching(
            () ->
                path.client()
                    .copyObject(
                        request ->
                            request
                                .sourceBucket("source")
                                .sourceKey(key)
                                .sourceVersionId("v+/1")
                                .destinationBucket("bucket")
                                .destinationKey(key)));
    S3Operation.Copy copy = (S3Operation.Copy) parser.parse(head).operation();
    assertThat(copy.source()).isEqualTo(new CopySource("source", key, Optional.of("v+/1")));
  }
}
