package io.penstock.gateway.s3;

/**
 * A parsed request.
 *
 * @param target its query holds what goes to the store: without signature parameters, and without
 *     {@code x-amz-*} parameters, which {@link ForwardedFields} turns into fields
 */
public record S3Request(S3Operation operation, S3Target target) {

  /**
   * Whether the query asks for other response fields than the object's own. S3 allows that only to
   * those who sign: a stranger could make any public object a page with scripts.
   */
  public boolean overridesResponse() {
    return target.query().parameters().stream()
        .anyMatch(parameter -> parameter.name().startsWith("response-"));
  }
}
