package io.penstock.config;

import java.util.List;
import java.util.Optional;

/** One tenant: its keys and what it may do. Without a policy it may do everything. */
public record TenantConfig(
    @Key(
            doc = "Name of the tenant in logs and metrics.",
            example = "demo",
            pattern = Patterns.NAME,
            expected = Patterns.NAME_WORDS)
        String name,
    @Key(
            doc = "Access key the tenant's clients sign with.",
            example = "demo",
            unless = "anonymous",
            fromFile = true,
            pattern = Patterns.ACCESS_KEY,
            expected = Patterns.ACCESS_KEY_WORDS)
        String accessKey,
    @Key(
            doc = "Secret key the tenant's clients sign with.",
            example = "\"${DEMO_SECRET_KEY}\"",
            unless = "anonymous",
            fromFile = true)
        Secret secretKey,
    @Key(
            doc =
                "true: this tenant stands for requests without a signature and has no keys. At most"
                    + " one tenant; without one, unsigned requests are refused.",
            defaultValue = "false")
        boolean anonymous,
    @Key(doc = "What the tenant may do; without a policy, everything.")
        Optional<PolicyConfig> policy) {

  /** Allowed buckets; whatever no rule allows is denied. */
  public record PolicyConfig(
      @Key(doc = "What is allowed; whatever no rule allows is denied.", min = "1")
          List<Rule> rules) {
    public PolicyConfig {
      rules = List.copyOf(rules);
    }
  }

  /** {@code bucket} and {@code prefix} may end in {@code *}. */
  public record Rule(
      @Key(
              doc = "Bucket name, the start of one followed by *, or * for every bucket.",
              example = "\"train-*\"",
              pattern = Patterns.BUCKET,
              expected = Patterns.BUCKET_WORDS)
          String bucket,
      @Key(
              doc = "Only keys that start with this text; a * at its end changes nothing.",
              example = "images/")
          Optional<String> prefix,
      @Key(
              doc =
                  "read: get, head, list. write: put, copy into, delete, multipart. admin: buckets"
                      + " and their sub-resources.",
              example = "[read, write]",
              min = "1")
          List<Access> access) {
    public Rule {
      access = List.copyOf(access);
    }
  }

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
