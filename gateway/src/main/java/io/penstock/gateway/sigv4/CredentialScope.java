package io.penstock.gateway.sigv4;

/**
 * Where and when a signing key is good.
 *
 * @param date {@code yyyyMMdd}
 */
record CredentialScope(String date, String region, String service) {
  static final String TERMINATOR = "aws4_request";

  /** {@code yyyyMMdd/region/service/aws4_request} */
  String text() {
    return date + '/' + region + '/' + service + '/' + TERMINATOR;
  }
}
