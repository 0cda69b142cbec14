package io.penstock.gateway.s3;

import io.penstock.config.TenantConfig.Access;

/**
 * One permission that an operation needs.
 *
 * @param key the object's key, the prefix of a listing, or empty for a bucket
 */
public record AccessNeed(String bucket, String key, Scope scope, Access access) {

  /** What {@code key} stands for. */
  public enum Scope {
    /** One object. */
    OBJECT,
    /** Every key that begins with {@code key}. */
    LISTING,
    /** The bucket itself: that it exists (READ), or its settings (ADMIN). */
    BUCKET
  }

  public static AccessNeed object(String bucket, String key, Access access) {
    return new AccessNeed(bucket, key, Scope.OBJECT, access);
  }

  public static AccessNeed listing(String bucket, String prefix, Access access) {
    return new AccessNeed(bucket, prefix, Scope.LISTING, access);
  }

  public static AccessNeed bucket(String bucket, Access access) {
    return new AccessNeed(bucket, "", Scope.BUCKET, access);
  }
}
