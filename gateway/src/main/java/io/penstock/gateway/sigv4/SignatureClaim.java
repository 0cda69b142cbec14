package io.penstock.gateway.sigv4;

import java.util.List;
import java.util.Optional;

/**
 * What a head says about its own signature, read but not believed.
 *
 * @param signature as sent
 * @param token session token, where one was sent
 * @param presigned whether it came in the query
 */
record SignatureClaim(
    String accessKey,
    CredentialScope scope,
    SigningTime time,
    List<String> signedHeaders,
    String signature,
    Optional<String> token,
    boolean presigned) {

  /** Access keys and signatures are nobody else's business. */
  @Override
  public String toString() {
    return "SignatureClaim[" + scope.text() + ", " + time.text() + ", " + signedHeaders + "]";
  }
}
