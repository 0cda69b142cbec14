package io.penstock.gateway.s3;

/** Why an operation cannot be passed on without losing what it means. */
enum Refusal {
  DIRECTORY("directory buckets have their own endpoints and session signatures"),
  FORM("a form is signed by its own policy; upload with PutObject, presigned if need be");

  private final String reason;

  Refusal(String reason) {
    this.reason = reason;
  }

  String reason() {
    return reason;
  }
}
