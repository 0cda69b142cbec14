package io.penstock.gateway.sigv4;

import io.penstock.gateway.http.HttpFields;
import io.penstock.gateway.http.RequestHead;
import io.penstock.gateway.s3.S3Error;
import io.penstock.gateway.s3.S3Exception;
import io.penstock.gateway.sigv4.PayloadClaim.ChunkSigning;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Says who signed a request, from the raw head alone: an Authorization field or a presigned query,
 * by Signature Version 4. Nothing is decoded or normalised before it is hashed; where clients are
 * known to sign an equivalent form of what they send (path, host, runs of spaces), the forms are
 * tried in turn, and each names the same resource.
 *
 * <p>Threading: safe.
 */
public final class SigV4Verifier {
  private static final Duration MAX_SKEW = Duration.ofMinutes(15);
  private static final int CACHED_KEYS = 1024;

  private final CredentialSource credentials;
  private final InstantSource clock;
  private final Optional<String> region;
  private final SignedHosts hosts;
  private final SigningKeys keys = new SigningKeys(CACHED_KEYS);

  /**
   * A verifier for the given access keys.
   *
   * @param region the only region that may be signed for; empty accepts any, as clients put there
   *     whatever their own configuration says
   */
  public SigV4Verifier(
      CredentialSource credentials,
      InstantSource clock,
      Optional<String> region,
      SignedHosts hosts) {
    this.credentials = credentials;
    this.clock = clock;
    this.region = region;
    this.hosts = hosts;
  }

  /** Never throws for anything a client can send; a refusal is a value. */
  public Authentication verify(RequestHead head) {
    try {
      CanonicalQuery query = CanonicalQuery.of(head.rawQuery());
      Optional<SignatureClaim> claim = SignatureReader.read(head.fields(), query);
      return claim.isEmpty()
          ? new Authentication.Anonymous(PayloadClaims.ofUnsigned(head.fields()))
          : verify(head, query, claim.get());
    } catch (S3Exception refused) {
      return new Authentication.Refused(refused.error(), String.valueOf(refused.getMessage()));
    }
  }

  private Authentication verify(RequestHead head, CanonicalQuery query, SignatureClaim claim) {
    checkScope(claim);
    checkTime(claim, query);
    checkSignedHeaders(claim, head.fields());
    Credential credential = credential(claim);
    String payload = payloadHash(claim, head.fields(), query);
    SigningKey key = keys.get(credential.secretKey(), claim.scope());
    CanonicalRequest request =
        new CanonicalRequest(
            head.method(),
            originForm(head.rawPath()),
            query,
            head.fields(),
            claim.signedHeaders(),
            payload);
    if (!isSigned(request, claim, key)) {
      throw mismatch(request, claim);
    }
    keys.remember(credential.secretKey(), claim.scope(), key);
    // an unsigned field may say how the body is framed only where the signature says nothing of it
    String claimed =
        claim.presigned() && payload.equals(PayloadClaims.UNSIGNED)
            ? PayloadClaims.value(head.fields()).orElse(payload)
            : payload;
    return new Authentication.Verified(
        claim.accessKey(), PayloadClaims.of(claimed, chunkSigning(claim, key)));
  }

  /** The path of a target that names a host as well; signed is only the path. */
  private static String originForm(String rawPath) {
    int authority = rawPath.startsWith("/") ? -1 : rawPath.indexOf("://");
    int path = authority < 0 ? 0 : rawPath.indexOf('/', authority + 3);
    return path < 0 ? "/" : rawPath.substring(path);
  }

  private void checkScope(SignatureClaim claim) {
    CredentialScope scope = claim.scope();
    S3Error error =
        claim.presigned()
            ? S3Error.AUTHORIZATION_QUERY_PARAMETERS_ERROR
            : S3Error.AUTHORIZATION_HEADER_MALFORMED;
    if (!scope.service().equals("s3")) {
      throw new S3Exception(
          error, "The credential is for service '" + scope.service() + "'; sign for 's3'.");
    }
    if (!scope.date().equals(claim.time().day())) {
      throw new S3Exception(
          error,
          "The credential's date " + scope.date() + " is not the day of the request's own date.");
    }
    if (region.isPresent() && !region.get().equals(scope.region())) {
      throw new S3Exception(
          error, "The region '" + scope.region() + "' is wrong; expecting '" + region.get() + "'.");
    }
  }

  private void checkTime(SignatureClaim claim, CanonicalQuery query) {
    Instant now = clock.instant();
    Instant signed = claim.time().instant();
    if (!claim.presigned()) {
      if (Duration.between(signed, now).abs().compareTo(MAX_SKEW) > 0) {
        throw new S3Exception(
            S3Error.REQUEST_TIME_TOO_SKEWED,
            "The request was signed at "
                + signed
                + " but it is "
                + now
                + " here: more than 15 minutes apart. Set the client's clock.");
      }
      return;
    }
    Duration validity = PresignedExpiry.of(query);
    if (signed.isAfter(now.plus(MAX_SKEW))) {
      throw new S3Exception(S3Error.ACCESS_DENIED, "Request is not yet valid.");
    }
    if (now.isAfter(signed.plus(validity))) {
      throw new S3Exception(
          S3Error.ACCESS_DENIED, "Request has expired: ask for a new presigned URL.");
    }
  }

  private static void checkSignedHeaders(SignatureClaim claim, HttpFields fields) {
    boolean host = false;
    for (String name : claim.signedHeaders()) {
      host |= name.equals("host");
      if (!fields.has(name)) {
        throw new S3Exception(
            S3Error.SIGNATURE_DOES_NOT_MATCH,
            "The signed header '"
                + name
                + "' did not arrive: a proxy in between may have removed it.");
      }
    }
    if (!host) {
      throw new S3Exception(S3Error.ACCESS_DENIED, "The Host header must be signed.");
    }
    if (fields.all("host").size() > 1) {
      throw new S3Exception(S3Error.INVALID_REQUEST, "Send one Host header, not several.");
    }
    UnsignedHeaders.check(fields, claim.signedHeaders());
  }

  private Credential credential(SignatureClaim claim) {
    Credential credential =
        credentials
            .find(claim.accessKey())
            .orElseThrow(
                () ->
                    new S3Exception(
                        S3Error.INVALID_ACCESS_KEY_ID,
                        "The access key of this request is not known to this gateway."));
    boolean tokenFits =
        credential.sessionToken().isPresent() == claim.token().isPresent()
            && (claim.token().isEmpty()
                || equal(credential.sessionToken().get().reveal(), claim.token().get()));
    if (!tokenFits) {
      throw new S3Exception(
          S3Error.INVALID_TOKEN,
          "The session token (x-amz-security-token) is not the one of this access key.");
    }
    return credential;
  }

  private static String payloadHash(SignatureClaim claim, HttpFields fields, CanonicalQuery query) {
    Optional<String> sent = PayloadClaims.value(fields);
    if (claim.presigned()) {
      return sent.filter(_ -> claim.signedHeaders().contains("x-amz-content-sha256"))
          .or(() -> query.get("X-Amz-Content-Sha256"))
          .orElse(PayloadClaims.UNSIGNED);
    }
    return sent.or(() -> hasNoBody(fields) ? Optional.of(Sha256.EMPTY_HEX) : Optional.empty())
        .orElseThrow(
            () ->
                new S3Exception(
                    S3Error.INVALID_REQUEST,
                    "Missing required header for this request: x-amz-content-sha256"));
  }

  private static boolean hasNoBody(HttpFields fields) {
    return !fields.has("transfer-encoding")
        && fields.get("content-length").map(length -> length.strip().equals("0")).orElse(true);
  }

  private boolean isSigned(CanonicalRequest request, SignatureClaim claim, SigningKey key) {
    if (isSigned(request, CanonicalRequest.Form.WIRE, claim, key)) {
      return true;
    }
    for (CanonicalRequest.Form form : SignedForms.others(request, hosts)) {
      if (isSigned(request, form, claim, key)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isSigned(
      CanonicalRequest request, CanonicalRequest.Form form, SignatureClaim claim, SigningKey key) {
    return equal(
        SignatureCalculator.ofRequest(request, form, claim.time(), claim.scope(), key),
        claim.signature());
  }

  /** Takes the same time wherever the first difference is. */
  static boolean equal(String expected, String actual) {
    return MessageDigest.isEqual(
        expected.getBytes(StandardCharsets.UTF_8), actual.getBytes(StandardCharsets.UTF_8));
  }

  private static S3Exception mismatch(CanonicalRequest request, SignatureClaim claim) {
    return new S3Exception(
        S3Error.SIGNATURE_DOES_NOT_MATCH,
        String.format(
            Locale.ROOT,
            "The signature does not match. Check the secret key, and that nothing between client and"
                + " gateway changes the Host header, the path or a signed header. The gateway saw %s"
                + " on host '%s', signed headers %s; its canonical request hashes to %s.",
            request.method(),
            request.fields().get("host").orElse(""),
            String.join(";", claim.signedHeaders()),
            SignatureCalculator.hashOf(request)));
  }

  private static Supplier<ChunkSigning> chunkSigning(SignatureClaim claim, SigningKey key) {
    return () -> {
      if (claim.presigned()) {
        throw new S3Exception(
            S3Error.INVALID_REQUEST,
            "A presigned URL cannot carry signed chunks: send the body as it is.");
      }
      return new ChunkSigning(key, claim.time().instant(), claim.scope().text(), claim.signature());
    };
  }
}
