package io.penstock.gateway.sigv4;

import io.penstock.gateway.http.HttpFields;
import io.penstock.gateway.s3.S3Error;
import io.penstock.gateway.s3.S3Exception;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Finds the signature of a head, in the Authorization field or in the query, and reads it.
 *
 * <p>Threading: stateless.
 */
final class SignatureReader {
  static final String ALGORITHM = "AWS4-HMAC-SHA256";
  private static final int SIGNATURE_LENGTH = 64;

  private SignatureReader() {}

  /** Empty for an anonymous request. */
  static Optional<SignatureClaim> read(HttpFields fields, CanonicalQuery query) {
    List<String> authorizations = fields.all("authorization");
    boolean inQuery = query.get("X-Amz-Signature").isPresent() || isQueryAlgorithm(query);
    boolean oldInQuery =
        query.get("AWSAccessKeyId").isPresent() && query.get("Signature").isPresent();
    if (authorizations.size() + (inQuery ? 1 : 0) + (oldInQuery ? 1 : 0) > 1) {
      throw new S3Exception(
          S3Error.INVALID_ARGUMENT,
          "The request is signed more than once: send either one Authorization header or one set of"
              + " signature query parameters.");
    }
    if (oldInQuery) {
      throw signatureVersion2();
    }
    if (inQuery) {
      return Optional.of(fromQuery(query));
    }
    return authorizations.isEmpty()
        ? Optional.empty()
        : Optional.of(fromHeader(authorizations.get(0).strip(), fields));
  }

  private static boolean isQueryAlgorithm(CanonicalQuery query) {
    return query.get("X-Amz-Algorithm").isPresent() || query.get("X-Amz-Credential").isPresent();
  }

  private static SignatureClaim fromHeader(String value, HttpFields fields) {
    int space = value.indexOf(' ');
    requireAlgorithm(space < 0 ? value : value.substring(0, space));
    String[] parts = headerParts(space < 0 ? "" : value.substring(space + 1));
    SigningTime time = headerTime(fields);
    return claim(
        S3Error.AUTHORIZATION_HEADER_MALFORMED,
        parts,
        time,
        fields.get("x-amz-security-token"),
        false);
  }

  private static SignatureClaim fromQuery(CanonicalQuery query) {
    requireAlgorithm(queryParameter(query, "X-Amz-Algorithm"));
    String[] parts = {
      queryParameter(query, "X-Amz-Credential"),
      queryParameter(query, "X-Amz-SignedHeaders"),
      queryParameter(query, "X-Amz-Signature")
    };
    SigningTime time =
        SigningTime.parse(queryParameter(query, "X-Amz-Date"))
            .orElseThrow(
                () -> queryError("X-Amz-Date must be of the form yyyyMMdd'T'HHmmss'Z' in UTC."));
    return claim(
        S3Error.AUTHORIZATION_QUERY_PARAMETERS_ERROR,
        parts,
        time,
        query.get("X-Amz-Security-Token"),
        true);
  }

  private static void requireAlgorithm(String algorithm) {
    switch (algorithm) {
      case ALGORITHM -> {}
      case "AWS" -> throw signatureVersion2();
      case "AWS4-ECDSA-P256-SHA256" ->
          throw new S3Exception(
              S3Error.NOT_IMPLEMENTED,
              "Signature Version 4A (AWS4-ECDSA-P256-SHA256) is not supported here: sign with "
                  + ALGORITHM
                  + ".");
      default ->
          throw new S3Exception(
              S3Error.INVALID_ARGUMENT,
              "Unsupported authorization type: sign the request with " + ALGORITHM + ".");
    }
  }

  private static S3Exception signatureVersion2() {
    return new S3Exception(
        S3Error.INVALID_REQUEST,
        "Signature Version 2 is not supported here: sign with Signature Version 4 ("
            + ALGORITHM
            + "), e.g. set the client's signature version to s3v4.");
  }

  private static S3Exception queryError(String message) {
    return new S3Exception(S3Error.AUTHORIZATION_QUERY_PARAMETERS_ERROR, message);
  }

  /** Credential, SignedHeaders and Signature, separated by commas, spaces or both. */
  private static String[] headerParts(String value) {
    @Nullable String[] parts = new @Nullable String[3];
    for (int start = 0; start < value.length(); ) {
      int end = start;
      while (end < value.length() && value.charAt(end) != ',' && value.charAt(end) != ' ') {
        end++;
      }
      int equals = value.indexOf('=', start);
      if (equals > start && equals < end) {
        int part = partIndex(value.substring(start, equals));
        if (part >= 0 && parts[part] != null) {
          throw malformed("A part occurs twice");
        }
        if (part >= 0) {
          parts[part] = value.substring(equals + 1, end);
        }
      }
      start = end + 1;
    }
    String credential = parts[0];
    String signedHeaders = parts[1];
    String signature = parts[2];
    if (credential == null || signedHeaders == null || signature == null) {
      throw malformed("Credential, SignedHeaders and Signature are all needed");
    }
    return new String[] {credential, signedHeaders, signature};
  }

  private static int partIndex(String name) {
    return switch (name) {
      case "Credential" -> 0;
      case "SignedHeaders" -> 1;
      case "Signature" -> 2;
      default -> -1;
    };
  }

  private static S3Exception malformed(String what) {
    return new S3Exception(
        S3Error.AUTHORIZATION_HEADER_MALFORMED,
        what
            + ". The Authorization header must read: "
            + ALGORITHM
            + " Credential=KEY/yyyyMMdd/REGION/s3/aws4_request, SignedHeaders=host;...,"
            + " Signature=HEX");
  }

  private static String queryParameter(CanonicalQuery query, String name) {
    if (query.count(name) > 1) {
      throw queryError("The query parameter " + name + " occurs more than once.");
    }
    return query
        .get(name)
        .orElseThrow(
            () ->
                queryError(
                    "A presigned URL needs X-Amz-Algorithm, X-Amz-Credential, X-Amz-Date,"
                        + " X-Amz-Expires, X-Amz-SignedHeaders and X-Amz-Signature; missing is "
                        + name
                        + "."));
  }

  private static SigningTime headerTime(HttpFields fields) {
    List<String> stamps = fields.all("x-amz-date");
    Optional<SigningTime> time =
        switch (stamps.size()) {
          case 0 -> fields.get("date").flatMap(date -> SigningTime.parseDate(date.strip()));
          case 1 -> SigningTime.parse(stamps.get(0).strip());
          default -> Optional.empty();
        };
    return time.orElseThrow(
        () ->
            new S3Exception(
                S3Error.ACCESS_DENIED,
                "A signed request needs one valid x-amz-date (yyyyMMdd'T'HHmmss'Z') or Date"
                    + " header."));
  }

  private static SignatureClaim claim(
      S3Error error, String[] parts, SigningTime time, Optional<String> token, boolean presigned) {
    String credential = parts[0];
    // from the right: an access key may itself hold a slash
    int terminator = credential.lastIndexOf('/');
    int service = credential.lastIndexOf('/', terminator - 1);
    int region = credential.lastIndexOf('/', service - 1);
    int date = credential.lastIndexOf('/', region - 1);
    if (date <= 0 || !credential.endsWith('/' + CredentialScope.TERMINATOR)) {
      throw new S3Exception(error, "The credential must read KEY/yyyyMMdd/REGION/s3/aws4_request.");
    }
    CredentialScope scope =
        new CredentialScope(
            credential.substring(date + 1, region),
            credential.substring(region + 1, service),
            credential.substring(service + 1, terminator));
    return new SignatureClaim(
        credential.substring(0, date),
        scope,
        time,
        signedHeaders(error, parts[1]),
        signature(error, parts[2]),
        token.filter(value -> !value.isEmpty()),
        presigned);
  }

  private static List<String> signedHeaders(S3Error error, String value) {
    List<String> names = new ArrayList<>();
    for (int start = 0; start <= value.length(); ) {
      int end = value.indexOf(';', start);
      end = end < 0 ? value.length() : end;
      if (end == start) {
        throw new S3Exception(error, "SignedHeaders holds an empty name.");
      }
      names.add(value.substring(start, end));
      start = end + 1;
    }
    return names;
  }

  private static String signature(S3Error error, String value) {
    if (value.length() != SIGNATURE_LENGTH) {
      throw new S3Exception(error, "A signature has 64 hexadecimal digits.");
    }
    return value;
  }
}
