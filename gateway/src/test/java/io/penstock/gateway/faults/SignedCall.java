package io.penstock.gateway.faults;

import io.penstock.gateway.testing.Stack;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import software.amazon.awssdk.checksums.spi.ChecksumAlgorithm;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4FamilyHttpSigner.AuthLocation;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4HttpSigner;
import software.amazon.awssdk.http.auth.spi.signer.HttpSigner;
import software.amazon.awssdk.http.auth.spi.signer.SignRequest;
import software.amazon.awssdk.http.auth.spi.signer.SignedRequest;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;

/**
 * A request to the gateway, signed by the AWS SDK's signer: header or presigned, with its body
 * hashed, unsigned, or in chunks.
 */
final class SignedCall {
  private final URI gateway;
  private final SdkHttpRequest.Builder request;
  private byte[] body = new byte[0];
  private boolean payloadSigned = true;
  private boolean framed;
  private ChecksumAlgorithm checksum;
  private Duration validity;
  private Clock clock = Clock.systemUTC();
  private String secret = Stack.SECRET_KEY;

  SignedCall(URI gateway, String method, String target) {
    this.gateway = gateway;
    this.request =
        SdkHttpRequest.builder()
            .method(SdkHttpMethod.fromValue(method))
            .uri(URI.create(gateway + target));
  }

  /** A field that is signed. */
  SignedCall field(String name, String value) {
    request.putHeader(name, value);
    return this;
  }

  /** A body whose SHA-256 is signed. */
  SignedCall body(byte[] bytes) {
    body = bytes;
    return this;
  }

  /** The signature says nothing about the body. */
  SignedCall unsignedPayload() {
    payloadSigned = false;
    return this;
  }

  /** The body in aws-chunked framing, each chunk signed. */
  SignedCall signedChunks() {
    framed = true;
    return this;
  }

  /** The body in aws-chunked framing with a checksum in its trailer. */
  SignedCall trailer(ChecksumAlgorithm algorithm) {
    framed = true;
    checksum = algorithm;
    return this;
  }

  SignedCall secret(String secretKey) {
    secret = secretKey;
    return this;
  }

  SignedCall clock(Clock signersClock) {
    clock = signersClock;
    return this;
  }

  /** In the query instead of a header. */
  SignedCall presigned(Duration valid) {
    validity = valid;
    return unsignedPayload();
  }

  /** Ready to be sent, with its length. */
  RawRequest sign() {
    if (payloadSigned) {
      // the signer would take plain http for a reason to sign what must stay unsigned
      request.protocol("http");
    } else {
      request.protocol("https").port(gateway.getPort());
    }
    SignedRequest signed = AwsV4HttpSigner.create().sign(this::describe);
    byte[] sent = bytes(signed);
    StringBuilder head = new StringBuilder();
    SdkHttpRequest result = signed.request();
    head.append(result.method()).append(' ').append(result.encodedPath());
    result.encodedQueryParameters().ifPresent(query -> head.append('?').append(query));
    head.append(" HTTP/1.1\r\n");
    result.forEachHeader(
        (name, values) -> {
          if (!name.equalsIgnoreCase("content-length")) {
            values.forEach(value -> head.append(name).append(": ").append(value).append("\r\n"));
          }
        });
    if (sent.length > 0 || result.method() == SdkHttpMethod.PUT) {
      head.append("Content-Length: ").append(sent.length).append("\r\n");
    }
    return new RawRequest(result.method().name(), head.toString(), sent);
  }

  private void describe(SignRequest.Builder<AwsCredentialsIdentity> sign) {
    if (body.length > 0 && !framed) {
      request.putHeader("content-length", Integer.toString(body.length));
    }
    sign.request(request.build())
        .identity(AwsCredentialsIdentity.create(Stack.ACCESS_KEY, secret))
        .putProperty(HttpSigner.SIGNING_CLOCK, clock)
        .putProperty(AwsV4HttpSigner.SERVICE_SIGNING_NAME, "s3")
        .putProperty(AwsV4HttpSigner.REGION_NAME, "us-east-1")
        .putProperty(AwsV4HttpSigner.DOUBLE_URL_ENCODE, false)
        .putProperty(AwsV4HttpSigner.NORMALIZE_PATH, false)
        .putProperty(AwsV4HttpSigner.PAYLOAD_SIGNING_ENABLED, payloadSigned)
        .putProperty(AwsV4HttpSigner.CHUNK_ENCODING_ENABLED, framed);
    if (checksum != null) {
      sign.putProperty(AwsV4HttpSigner.CHECKSUM_ALGORITHM, checksum);
    }
    if (validity != null) {
      sign.putProperty(AwsV4HttpSigner.AUTH_LOCATION, AuthLocation.QUERY_STRING)
          .putProperty(AwsV4HttpSigner.EXPIRATION_DURATION, validity);
    }
    if (body.length > 0 || framed) {
      sign.payload(() -> new java.io.ByteArrayInputStream(body));
    }
  }

  private static byte[] bytes(SignedRequest signed) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    signed
        .payload()
        .ifPresent(
            payload -> {
              try (var in = payload.newStream()) {
                in.transferTo(out);
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
    return out.toByteArray();
  }

  /**
   * The bytes of a request: head without its empty line, and body as sent.
   *
   * @param head request line and fields, each with its CRLF
   */
  record RawRequest(String method, String head, byte[] body) {

    /** One more field, unsigned. */
    RawRequest with(String name, String value) {
      return new RawRequest(method, head + name + ": " + value + "\r\n", body);
    }

    /** Without this field, signed or not. */
    RawRequest without(String name) {
      return new RawRequest(
          method,
          head.replaceAll("(?im)^" + java.util.regex.Pattern.quote(name) + ":.*\r\n", ""),
          body);
    }

    /** Another body, of whatever length, under the same head. */
    RawRequest body(byte[] other) {
      return new RawRequest(method, head, other);
    }

    /** The same request with the first {@code text} of its head replaced. */
    RawRequest replace(String text, String other) {
      if (!head.contains(text)) {
        throw new IllegalArgumentException(text + " is not in " + head);
      }
      return new RawRequest(method, head.replace(text, other), body);
    }

    byte[] headBytes() {
      return (head + "\r\n").getBytes(StandardCharsets.ISO_8859_1);
    }

    /** Everything. */
    byte[] bytes() {
      ByteArrayOutputStream all = new ByteArrayOutputStream();
      all.writeBytes(headBytes());
      all.writeBytes(body);
      return all.toByteArray();
    }

    String target() {
      return head.split(" ", 3)[1];
    }
  }
}
