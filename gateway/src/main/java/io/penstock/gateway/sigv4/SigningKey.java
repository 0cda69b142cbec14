package io.penstock.gateway.sigv4;

/** The derived SigV4 key of one secret, day, region and service. */
public record SigningKey(byte[] bytes) {
  @Override
  public String toString() {
    return "***";
  }
}
