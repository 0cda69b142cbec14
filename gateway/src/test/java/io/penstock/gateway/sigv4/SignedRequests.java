package io.penstock.gateway.sigv4;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.config.Secret;
import io.penstock.gateway.http.HttpFields;
import io.penstock.gateway.http.RequestHead;
import io.penstock.gateway.s3.S3Error;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Signed heads to bend, and what to say about the verdict. */
final class SignedRequests {
  static final Instant NOW = Instant.parse("2026-05-06T07:08:09Z");
  static final String HOST = "s3.example.com";
  static final String SECRET = "top/secret";
  static final Credential PLAIN = new Credential("plain", new Secret(SECRET), Optional.empty());
  static final Credential TEMPORARY =
      new Credential("temporary", new Secret("other"), Optional.of(new Secret("token/+=")));

  static SigV4Verifier verifier(Optional<String> region, SignedHosts hosts) {
    return new SigV4Verifier(
        key ->
            List.of(PLAIN, TEMPORARY).stream().filter(c -> c.accessKey().equals(key)).findFirst(),
        InstantSource.fixed(NOW),
        region,
        hosts);
  }

  static Authentication verify(RequestHead head) {
    return verifier(Optional.empty(), SignedHosts.WIRE).verify(head);
  }

  static SigV4Signer signer(Credential credential, Instant time) {
    return new SigV4Signer(() -> credential, "eu-west-1", InstantSource.fixed(time));
  }

  static RequestHead signed(
      Credential credential, Instant time, String host, String target, String... fields) {
    RequestHead bare = new RequestHead("GET", target, HttpFields.EMPTY);
    return new RequestHead(
        "GET",
        target,
        signer(credential, time)
            .sign(
                "GET",
                host,
                bare.rawPath(),
                bare.rawQuery(),
                HttpFields.of(fields),
                Sha256.EMPTY_HEX));
  }

  static RequestHead signed(String... fields) {
    return signed(PLAIN, NOW, HOST, "/b/k?x=1", fields);
  }

  static RequestHead presigned(Instant time, Duration validity, String... fields) {
    String query = signer(PLAIN, time).presign("GET", HOST, "/b/k", "versionId=1", validity);
    return new RequestHead(
        "GET",
        "/b/k?" + query,
        HttpFields.builder().add("host", HOST).addAll(HttpFields.of(fields)).build());
  }

  static RequestHead with(RequestHead head, String name, UnaryOperator<String> change) {
    String value = change.apply(head.fields().get(name).orElseThrow());
    return new RequestHead(head.method(), head.target(), head.fields().with(name, value));
  }

  static RequestHead add(RequestHead head, String... fields) {
    return new RequestHead(
        head.method(),
        head.target(),
        head.fields().toBuilder().addAll(HttpFields.of(fields)).build());
  }

  static RequestHead target(RequestHead head, UnaryOperator<String> change) {
    return new RequestHead(head.method(), change.apply(head.target()), head.fields());
  }

  static void assertRefused(Authentication who, S3Error error, String message) {
    assertThat(who)
        .isInstanceOfSatisfying(
            Authentication.Refused.class,
            refused -> {
              assertThat(refused.error()).isEqualTo(error);
              assertThat(refused.message())
                  .contains(message)
                  .doesNotContain(SECRET)
                  .doesNotContain("token/");
            });
  }

  static void assertVerified(Authentication who) {
    assertThat(who).isInstanceOf(Authentication.Verified.class);
  }

  private SignedRequests() {}
}
