package io.penstock.gateway.sigv4;

import io.penstock.gateway.http.HttpFields;
import io.penstock.gateway.s3.UriEncoding;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;

/**
 * Signs requests to the store. Only {@code Host}, {@code x-amz-*} and {@code Content-MD5} are
 * signed: what a middle box or an HTTP library may change on the way is left out.
 *
 * <p>Threading: safe if the credential supplier is.
 */
public final class SigV4Signer {
  /** Payload hash of a body that is not promised anything about. */
  public static final String UNSIGNED_PAYLOAD = PayloadClaims.UNSIGNED;

  private static final String SERVICE = "s3";

  private final Supplier<Credential> credentials;
  private final String region;
  private final InstantSource clock;
  private final SigningKeys keys = new SigningKeys(16);

  /** Asks {@code credentials} anew for every request, so that they may change at any time. */
  public SigV4Signer(Supplier<Credential> credentials, String region, InstantSource clock) {
    this.credentials = credentials;
    this.region = region;
    this.clock = clock;
  }

  /**
   * The fields to send: the given ones with {@code host}, {@code x-amz-date}, {@code
   * x-amz-content-sha256}, {@code authorization} and, for temporary credentials, {@code
   * x-amz-security-token}.
   *
   * @param host as the Host field will have it, with the port unless it is the default one
   * @param encodedPath encoded once by the rules of S3, as it will be sent
   * @param encodedQuery as it will be sent; need not be sorted
   * @param payloadHash lower-case hex SHA-256, or {@link #UNSIGNED_PAYLOAD}
   */
  public HttpFields sign(
      String method,
      String host,
      String encodedPath,
      String encodedQuery,
      HttpFields fields,
      String payloadHash) {
    Credential credential = credentials.get();
    SigningTime time = SigningTime.of(clock.instant());
    HttpFields.Builder sent = unsigned(host, fields);
    sent.add("x-amz-date", time.text()).add("x-amz-content-sha256", payloadHash);
    credential.sessionToken().ifPresent(t -> sent.add("x-amz-security-token", t.reveal()));
    HttpFields covered = sent.build();
    CanonicalRequest request =
        new CanonicalRequest(
            method,
            encodedPath,
            CanonicalQuery.of(encodedQuery),
            covered,
            signedHeaders(covered),
            payloadHash);
    CredentialScope scope = new CredentialScope(time.day(), region, SERVICE);
    return sent.add("authorization", authorization(request, time, scope, credential)).build();
  }

  /**
   * The query of a URL that anyone may use for {@code validity}: {@code encodedQuery} and the
   * parameters of the signature.
   */
  public String presign(
      String method, String host, String encodedPath, String encodedQuery, Duration validity) {
    Credential credential = credentials.get();
    SigningTime time = SigningTime.of(clock.instant());
    CredentialScope scope = new CredentialScope(time.day(), region, SERVICE);
    List<String> parameters = new ArrayList<>();
    if (!encodedQuery.isEmpty()) {
      parameters.add(encodedQuery);
    }
    parameters.add("X-Amz-Algorithm=" + SignatureReader.ALGORITHM);
    parameters.add(
        "X-Amz-Credential=" + UriEncoding.encode(credential.accessKey() + '/' + scope.text()));
    parameters.add("X-Amz-Date=" + time.text());
    parameters.add("X-Amz-Expires=" + validity.toSeconds());
    credential
        .sessionToken()
        .ifPresent(t -> parameters.add("X-Amz-Security-Token=" + UriEncoding.encode(t.reveal())));
    parameters.add("X-Amz-SignedHeaders=host");
    String query = String.join("&", parameters);
    CanonicalRequest request =
        new CanonicalRequest(
            method,
            encodedPath,
            CanonicalQuery.of(query),
            HttpFields.of("host", host),
            List.of("host"),
            UNSIGNED_PAYLOAD);
    return query + "&X-Amz-Signature=" + signature(request, time, scope, credential);
  }

  /** The given fields with {@code host}, and without whatever belongs to a signature. */
  public static HttpFields.Builder unsigned(String host, HttpFields fields) {
    return HttpFields.builder()
        .add("host", host)
        .addAll(fields.without(name -> isOurs(name.toLowerCase(Locale.ROOT))));
  }

  private String authorization(
      CanonicalRequest request, SigningTime time, CredentialScope scope, Credential credential) {
    return SignatureReader.ALGORITHM
        + " Credential="
        + credential.accessKey()
        + '/'
        + scope.text()
        + ", SignedHeaders="
        + String.join(";", request.signedHeaders())
        + ", Signature="
        + signature(request, time, scope, credential);
  }

  private String signature(
      CanonicalRequest request, SigningTime time, CredentialScope scope, Credential credential) {
    SigningKey key = keys.get(credential.secretKey(), scope);
    keys.remember(credential.secretKey(), scope, key);
    return SignatureCalculator.ofRequest(request, CanonicalRequest.Form.WIRE, time, scope, key);
  }

  private static boolean isOurs(String name) {
    return switch (name) {
      case "host", "authorization", "x-amz-date", "x-amz-content-sha256", "x-amz-security-token" ->
          true;
      default -> false;
    };
  }

  private static List<String> signedHeaders(HttpFields fields) {
    List<String> names = new ArrayList<>(fields.size());
    for (int i = 0; i < fields.size(); i++) {
      String name = fields.name(i).toLowerCase(Locale.ROOT);
      if (name.equals("host") || name.equals("content-md5") || name.startsWith("x-amz-")) {
        if (!names.contains(name)) {
          names.add(name);
        }
      }
    }
    Collections.sort(names);
    return names;
  }
}
