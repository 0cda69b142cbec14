package io.penstock.gateway.s3;

import java.util.Optional;

/** Why an operation cannot be passed on without losing what it means. */
enum Refusal {
  DIRECTORY("directory buckets have their own endpoints and session signatures"),
  FORM("a form is signed by its own policy; upload with PutObject, presigned if need be"),
  HARMFUL("only Amazon S3 has it, and other stores might change the object or bucket instead");

  private final String reason;

  Refusal(String reason) {
    this.reason = reason;
  }

  /** Why this operation cannot be passed on to such a store, if it cannot. */
  static Optional<Refusal> of(S3Action action, StoreKind store) {
    return store != StoreKind.AMAZON && isHarmfulElsewhere(action)
        ? Optional.of(HARMFUL)
        : action.refusal();
  }

  /**
   * Only Amazon has them, and a store that does not know the sub-resource would do what the request
   * says without it: overwrite or delete the object, delete the bucket (seen with radosgw 16.2).
   */
  private static boolean isHarmfulElsewhere(S3Action action) {
    return switch (action) {
      case PUT_OBJECT_ANNOTATION,
          DELETE_OBJECT_ANNOTATION,
          UPDATE_OBJECT_ENCRYPTION,
          DELETE_BUCKET_ANALYTICS_CONFIGURATION,
          DELETE_BUCKET_INTELLIGENT_TIERING_CONFIGURATION,
          DELETE_BUCKET_INVENTORY_CONFIGURATION,
          DELETE_BUCKET_METRICS_CONFIGURATION,
          DELETE_BUCKET_METADATA_CONFIGURATION,
          DELETE_BUCKET_METADATA_TABLE_CONFIGURATION ->
          true;
      default -> false;
    };
  }

  String reason() {
    return reason;
  }
}
