package io.penstock.config;

import java.util.List;
import java.util.Optional;

/** One tenant: its keys and what it may do. Without a policy it may do everything. */
public record TenantConfig(
    String name,
    String accessKey,
    Secret secretKey,
    boolean anonymous,
    Optional<PolicyConfig> policy) {

  /** Allowed buckets; whatever no rule allows is denied. */
  public record PolicyConfig(List<Rule> rules) {}

  /** {@code bucket} and {@code prefix} may end in {@code *}. */
  public record Rule(String bucket, Optional<String> prefix, List<Access> access) {}

  /**
   * READ: get, head, list. WRITE: put, copy into, delete, multipart. ADMIN: buckets and their
   * sub-resources.
   */
  public enum Access {
    READ,
    WRITE,
    ADMIN
  }
}
