package io.penstock.gateway.sigv4;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.gateway.http.HttpFields;
import io.penstock.gateway.http.RequestHead;
import io.penstock.gateway.s3.S3Error;
import java.net.URLDecoder;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4FamilyHttpSigner.AuthLocation;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4HttpSigner;
import software.amazon.awssdk.utils.http.SdkHttpUtils;

/** What the AWS SDK signs is accepted; with any one byte changed it is refused. */
class SdkSignatureProperties {
  private static final String ODD = "+ %/~-._!*'():@&=$,;?#[]\\\"<>^`{|}éüß漢字🚀\u0001\u007f";

  @Provide
  Arbitrary<SdkHttpRequest> requests() {
    Arbitrary<String> text =
        Arbitraries.strings()
            .withChars(ODD)
            .withCharRange('a', 'z')
            .withCharRange('A', 'Z')
            .withCharRange('0', '9')
            .ofMaxLength(12);
    Arbitrary<String> key =
        Arbitraries.oneOf(
            text,
            Arbitraries.of("a+b c/é//x%2Fy", "/", "..", "../x", "./", "//", "a/./b/../c/", "%"));
    Arbitrary<String> value =
        Arbitraries.strings()
            .withChars("  \tabcXYZ09+/=;:,\"'()é漢")
            .ofMaxLength(12)
            .map(SdkSignatureProperties::withoutEdges);
    return Combinators.combine(
            Arbitraries.of(SdkHttpMethod.class),
            Arbitraries.of("s3.example.com", "bucket.s3.example.com", "127.0.0.1"),
            Arbitraries.of(80, 9000),
            key,
            Arbitraries.maps(text.filter(name -> !name.isEmpty()), text.list().ofMaxSize(3))
                .ofMaxSize(4),
            Arbitraries.maps(
                    Arbitraries.of(
                        "x-amz-meta-a",
                        "x-amz-acl",
                        "Range",
                        "Content-Type",
                        "If-Match",
                        "x-Amz-Z"),
                    value.list().ofMinSize(1).ofMaxSize(2))
                .ofMaxSize(4))
        .as(
            (method, host, port, path, query, headers) -> {
              SdkHttpRequest.Builder request =
                  SdkHttpRequest.builder()
                      .method(method)
                      .protocol("http")
                      .host(host)
                      .port(port)
                      .encodedPath("/bucket/" + SdkHttpUtils.urlEncodeIgnoreSlashes(path));
              query.forEach(request::putRawQueryParameter);
              headers.forEach(request::putHeader);
              return request.build();
            });
  }

  private static String withoutEdges(String value) {
    return value.strip().isEmpty() ? "v" : value.strip();
  }

  private static void assertVerified(RequestHead head) {
    assertThat(SdkSigning.VERIFIER.verify(head))
        .isInstanceOfSatisfying(
            Authentication.Verified.class,
            who -> assertThat(who.accessKey()).isEqualTo(SdkSigning.ACCESS_KEY));
  }

  private static void assertNotVerified(RequestHead head) {
    assertThat(SdkSigning.VERIFIER.verify(head)).isNotInstanceOf(Authentication.Verified.class);
  }

  private static RequestHead sign(
      SdkHttpRequest request, byte[] body, boolean presigned, boolean signPayload) {
    // over plain HTTP the bare signer would cover the body, which the presigner for S3 never does
    return SdkSigning.sign(
            presigned ? request.toBuilder().protocol("https").build() : request,
            body,
            options -> {
              options.putProperty(
                  AwsV4HttpSigner.PAYLOAD_SIGNING_ENABLED, signPayload && !presigned);
              if (presigned) {
                options
                    .putProperty(AwsV4HttpSigner.AUTH_LOCATION, AuthLocation.QUERY_STRING)
                    .putProperty(AwsV4HttpSigner.EXPIRATION_DURATION, Duration.ofHours(1));
              }
            })
        .head();
  }

  @Property(tries = 500)
  void whatTheSdkSignsIsAccepted(
      @ForAll("requests") SdkHttpRequest request,
      @ForAll byte[] body,
      @ForAll boolean presigned,
      @ForAll boolean signPayload) {
    assertVerified(sign(request, body, presigned, signPayload));
  }

  @Property(tries = 300)
  void anEquivalentPathOnTheWireIsAccepted(
      @ForAll("requests") SdkHttpRequest request,
      @ForAll boolean presigned,
      @ForAll Random random) {
    RequestHead head = sign(request, new byte[0], presigned, true);
    if (head.rawPath().contains("%2F") || head.rawPath().contains("%25")) {
      // an encoded slash or percent sign has only the one spelling
      return;
    }
    StringBuilder path = new StringBuilder();
    for (byte b : decode(head.rawPath())) {
      char c = (char) (b & 0xFF);
      boolean plain = "+!*'():@&=$,;~-._".indexOf(c) >= 0 || (c < 0x7F && Character.isLetter(c));
      if (c == '/' || (plain && random.nextBoolean())) {
        path.append(c);
      } else {
        path.append(String.format(random.nextBoolean() ? "%%%02x" : "%%%02X", b & 0xFF));
      }
    }
    String query = head.rawQuery().isEmpty() ? "" : '?' + head.rawQuery();
    assertVerified(new RequestHead(head.method(), path + query, head.fields()));
  }

  /** The SDK's Apache clients sign {@code a//b} and send {@code a/%2Fb}. */
  @Property(tries = 200)
  void emptySegmentsMayBeSentAsEncodedSlashes(
      @ForAll("requests") SdkHttpRequest request, @ForAll boolean presigned) {
    RequestHead head = sign(request, new byte[0], presigned, true);
    String path = head.rawPath().replaceAll("(?<=/)/", "%2F");
    String query = head.rawQuery().isEmpty() ? "" : '?' + head.rawQuery();
    assertVerified(new RequestHead(head.method(), path + query, head.fields()));
  }

  @Property(tries = 1000)
  void aChangedTargetIsRefused(
      @ForAll("requests") SdkHttpRequest request,
      @ForAll boolean presigned,
      @ForAll Random random) {
    RequestHead head = sign(request, new byte[0], presigned, true);
    char[] target = head.target().toCharArray();
    int at = 1 + random.nextInt(target.length - 1);
    target[at] = (char) ('!' + random.nextInt('~' - '!'));
    RequestHead changed = new RequestHead(head.method(), new String(target), head.fields());
    boolean same =
        Arrays.equals(decode(head.rawPath()), decode(changed.rawPath()))
            && parameters(head.rawQuery()).equals(parameters(changed.rawQuery()));
    if (same) {
      // another spelling of the same: %2f for %2F, or + for a space
      return;
    }
    assertNotVerified(changed);
  }

  @Property(tries = 500)
  void aChangedFieldIsRefused(
      @ForAll("requests") SdkHttpRequest request,
      @ForAll boolean presigned,
      @ForAll boolean signPayload,
      @ForAll Random random) {
    RequestHead head = sign(request, new byte[0], presigned, signPayload);
    HttpFields fields = head.fields();
    int index = random.nextInt(fields.size());
    String name = fields.name(index);
    String value = fields.value(index);
    boolean authorization = name.equalsIgnoreCase("authorization");
    int from = authorization ? value.indexOf("Signature=") + 10 : 0;
    int at = from + random.nextInt(value.length() - from);
    char c = (char) ('!' + random.nextInt('~' - '!'));
    boolean unsigned = presigned && head.rawQuery().contains("X-Amz-SignedHeaders=host&");
    if (c == value.charAt(at) || (unsigned && !name.equalsIgnoreCase("host"))) {
      return;
    }
    HttpFields.Builder changed = HttpFields.builder();
    for (int i = 0; i < fields.size(); i++) {
      changed.add(
          fields.name(i),
          i == index ? value.substring(0, at) + c + value.substring(at + 1) : fields.value(i));
    }
    assertNotVerified(new RequestHead(head.method(), head.target(), changed.build()));
  }

  @Property(tries = 100)
  void anotherMethodIsRefused(
      @ForAll("requests") SdkHttpRequest request,
      @ForAll SdkHttpMethod method,
      @ForAll boolean presigned) {
    RequestHead head = sign(request, new byte[0], presigned, true);
    if (!head.method().equals(method.name())) {
      assertNotVerified(new RequestHead(method.name(), head.target(), head.fields()));
    }
  }

  @Property(tries = 100)
  void anAddedAmzFieldIsRefused(
      @ForAll("requests") SdkHttpRequest request, @ForAll boolean presigned) {
    RequestHead head = sign(request, new byte[0], presigned, true);
    HttpFields more = head.fields().toBuilder().add("X-Amz-Storage-Class", "GLACIER").build();
    assertThat(SdkSigning.VERIFIER.verify(new RequestHead(head.method(), head.target(), more)))
        .isInstanceOfSatisfying(
            Authentication.Refused.class,
            refused -> {
              assertThat(refused.error()).isEqualTo(S3Error.ACCESS_DENIED);
              assertThat(refused.message()).contains("not signed: x-amz-storage-class");
            });
  }

  /** Independent of the code under test; a stray % is itself. */
  private static byte[] decode(String text) {
    String clean = text.replaceAll("%(?![0-9a-fA-F]{2})", "%25").replace("+", "%2B");
    return URLDecoder.decode(clean, ISO_8859_1).getBytes(ISO_8859_1);
  }

  private static List<String> parameters(String query) {
    return Stream.of(query.split("&"))
        .filter(part -> !part.isEmpty())
        .map(part -> part.contains("=") ? part : part + '=')
        .map(
            part ->
                new String(
                        decode(part.substring(0, part.indexOf('=')).replace('+', ' ')), ISO_8859_1)
                    + '\0'
                    + new String(
                        decode(part.substring(part.indexOf('=') + 1).replace('+', ' ')),
                        ISO_8859_1))
        .sorted()
        .toList();
  }
}
