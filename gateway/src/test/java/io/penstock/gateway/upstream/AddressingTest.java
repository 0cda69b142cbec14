package io.penstock.gateway.upstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.config.UpstreamConfig;
import io.penstock.gateway.s3.Query;
import io.penstock.gateway.s3.S3Target;
import io.penstock.gateway.upstream.wire.Endpoint;
import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AddressingTest {
  private static final Endpoint STORE = Endpoint.of(URI.create("http://store.example:8333"));

  @ParameterizedTest
  @CsvSource({
    "'', '', /, /",
    "b, '', /b, /",
    "b, k, /b/k, /k",
    "b, /k, /b//k, //k",
    "b, a//b/, /b/a//b/, /a//b/",
    "b, ../x, /b/../x, /../x",
    "b, a+b c/é%2F, /b/a%2Bb%20c/%C3%A9%252F, /a%2Bb%20c/%C3%A9%252F"
  })
  void encodesOnceAndKeepsEveryByte(String bucket, String key, String path, String virtualPath) {
    S3Target target = new S3Target(bucket, key, Query.EMPTY);
    Addressing.Address byPath = new Addressing(STORE, UpstreamConfig.Addressing.PATH).of(target);
    assertThat(byPath).isEqualTo(new Addressing.Address("store.example:8333", path, ""));
    Addressing.Address byHost =
        new Addressing(STORE, UpstreamConfig.Addressing.VIRTUAL_HOST).of(target);
    String host = bucket.isEmpty() ? "store.example:8333" : bucket + ".store.example:8333";
    assertThat(byHost).isEqualTo(new Addressing.Address(host, virtualPath, ""));
  }

  @ParameterizedTest
  @ValueSource(strings = {"Upper", "a_b", "tenant:b", "-a", "a..b", "a-", "a.-b"})
  void keepsABucketThatIsNoHostNameInThePath(String bucket) {
    Addressing.Address address =
        new Addressing(STORE, UpstreamConfig.Addressing.VIRTUAL_HOST)
            .of(new S3Target(bucket, "k", Query.EMPTY));
    assertThat(address.host()).isEqualTo("store.example:8333");
    assertThat(address.path()).endsWith("/k").startsWith("/" + bucket.charAt(0));
  }

  @Test
  void putsTheQueryBehind() {
    Query query =
        new Query(
            List.of(new Query.Parameter("uploads", ""), new Query.Parameter("prefix", "a&b")));
    Addressing.Address address =
        new Addressing(STORE, UpstreamConfig.Addressing.PATH).of(new S3Target("b", "", query));
    assertThat(address.target()).isEqualTo("/b?uploads=&prefix=a%26b");
  }

  @ParameterizedTest
  @CsvSource({
    "http://h, h",
    "http://h:80, h",
    "https://h:443, h",
    "https://h:80, h:80",
    "http://[::1]:9, [::1]:9"
  })
  void namesAnEndpointAsTheHostField(String uri, String authority) {
    assertThat(Endpoint.of(URI.create(uri)).authority()).isEqualTo(authority);
  }

  @ParameterizedTest
  @ValueSource(strings = {"ftp://h", "h:80", "http:///x"})
  void refusesWhatIsNoEndpoint(String uri) {
    assertThatThrownBy(() -> Endpoint.of(URI.create(uri)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("http://host:port");
  }
}
