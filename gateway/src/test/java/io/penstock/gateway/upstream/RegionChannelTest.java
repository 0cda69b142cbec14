package io.penstock.gateway.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.gateway.http.Cancellation;
import io.penstock.gateway.testing.SinkProbe;
import io.penstock.gateway.testing.SteeredBody;
import io.penstock.gateway.upstream.wire.Endpoint;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RegionChannelTest {
  private static final Endpoint FIRST = Endpoint.of(URI.create("http://first.example:80"));
  private static final Endpoint SECOND = Endpoint.of(URI.create("http://second.example:80"));
  private static final String MALFORMED =
      "<?xml version=\"1.0\"?><Error><Code>AuthorizationHeaderMalformed</Code>"
          + "<Message>the region 'us-east-1' is wrong</Message><Region>eu-west-1</Region></Error>";

  private final BucketHomes homes = new BucketHomes("us-east-1");
  private final ScriptedChannel store = new ScriptedChannel();
  private final RegionChannel channel = new RegionChannel(List.of(FIRST, SECOND), homes, store);
  private final UpstreamRequest get = Requests.get("b", "k");

  @ParameterizedTest
  @ValueSource(ints = {301, 307, 400})
  void signsAgainForTheRegionTheStoreNames(int status) {
    store.answers(status, "x-amz-bucket-region", "eu-west-1").answers(200);
    assertThat(channel.send(get).result().head().status()).isEqualTo(200);
    assertThat(homes.of("b")).isEqualTo(new BucketHomes.Home("eu-west-1", Optional.empty()));
    assertThat(homes.of("other").region()).isEqualTo("us-east-1");
  }

  @Test
  void readsTheRegionFromTheErrorIfNoFieldNamesIt() {
    store.answers(Requests.answer(400, MALFORMED)).answers(200);
    assertThat(channel.send(get).result().head().status()).isEqualTo(200);
    assertThat(homes.of("b").region()).isEqualTo("eu-west-1");
  }

  @Test
  void passesAnyOtherRefusalOnWhole() throws Throwable {
    store.answers(Requests.answer(400, "<Error><Code>InvalidArgument</Code></Error>"));
    SinkProbe sink = new SinkProbe();
    channel.send(get).result().body().start(sink);
    assertThat(sink.await()).asString().contains("InvalidArgument");
  }

  @Test
  void followsToAConfiguredEndpoint() {
    store.answers(307, "Location", "http://b.second.example/k").answers(200);
    assertThat(channel.send(get).result().head().status()).isEqualTo(200);
    assertThat(homes.of("b").endpoint()).contains(SECOND);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://evil.example/k",
        "http://second.example.evil.example/k",
        "http://evilsecond.example/k",
        "https://second.example/k",
        "http://second.example:81/k",
        "http://second.example@evil.example/k",
        "//second.example/k",
        "nonsense://",
        "%"
      })
  void neverGoesAnywhereElseAndNeverSendsTheClientThere(String location) {
    store.answers(307, "Location", location, "x-amz-id-2", "1");
    UpstreamResponse answer = channel.send(get).result();
    assertThat(answer.head().status()).isEqualTo(307);
    assertThat(answer.head().fields().has("location")).isFalse();
    assertThat(answer.head().fields().has("x-amz-id-2")).isTrue();
    assertThat(homes.of("b").endpoint()).isEmpty();
  }

  @Test
  void doesNotGoRoundInCircles() {
    store
        .answers(301, "x-amz-bucket-region", "eu-west-1")
        .answers(301, "x-amz-bucket-region", "us-east-1");
    assertThat(channel.send(get).result().head().status()).isEqualTo(301);
    assertThat(store.requests()).hasSize(2);
  }

  @Test
  void ignoresANameThatIsNoRegion() {
    store.answers(301, "x-amz-bucket-region", "eu/../x");
    assertThat(channel.send(get).result().head().status()).isEqualTo(301);
    assertThat(homes.of("b").region()).isEqualTo("us-east-1");
  }

  @Test
  void cannotSendAStreamTwiceButKnowsBetterNextTime() {
    UpstreamRequest put =
        Requests.of(
            "PUT",
            "b",
            "k",
            new UpstreamBody.Streaming(new SteeredBody(1), 1),
            true,
            new Cancellation());
    store.answers(307, "x-amz-bucket-region", "eu-west-1");
    assertThat(channel.send(put).cause()).isInstanceOf(UpstreamFailure.Broken.class);
    assertThat(homes.of("b").region()).isEqualTo("eu-west-1");
  }
}
