package io.penstock.gateway.tenant;

/** The outcome of a policy. */
public sealed interface AccessDecision {

  /** Go on. */
  record Allowed() implements AccessDecision {}

  /**
   * Answer AccessDenied.
   *
   * @param reason fit for the client: says what is missing and names nothing it did not ask for
   */
  record Denied(String reason) implements AccessDecision {}
}
