package io.penstock.gateway.s3;

/**
 * What a request is about, decoded: the same for path and virtual-host style.
 *
 * @param bucket empty for the service itself (ListBuckets)
 * @param key the object key, decoded once, every byte kept ({@code //}, {@code ..}, leading and
 *     trailing slashes); empty for the bucket itself
 */
public record S3Target(String bucket, String key, Query query) {
  public boolean isService() {
    return bucket.isEmpty();
  }

  public boolean isBucket() {
    return !bucket.isEmpty() && key.isEmpty();
  }

  public boolean isObject() {
    return !key.isEmpty();
  }
}
