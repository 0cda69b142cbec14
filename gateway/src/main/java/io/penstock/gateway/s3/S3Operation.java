package io.penstock.gateway.s3;

import io.penstock.config.TenantConfig.Access;
import java.util.ArrayList;
import java.util.List;

/**
 * What a request asks for. The variants are the operations that the gateway treats in a way of
 * their own; every other operation of the S3 API is {@link Plain}.
 *
 * <p>Threading: immutable.
 */
public sealed interface S3Operation {

  /** The operation's name in the AWS API, for example {@code GetObject}; bounded, fit for a tag. */
  String name();

  /** Whether making the call twice has the effect of making it once. */
  boolean idempotent();

  BodyKind body();

  /** Everything that the tenant must be allowed to do; all of it, or the request is refused. */
  List<AccessNeed> needs(S3Target target);

  /** Reads an object. */
  record GetObject() implements S3Operation {
    @Override
    public String name() {
      return S3Action.GET_OBJECT.apiName();
    }

    @Override
    public boolean idempotent() {
      return true;
    }

    @Override
    public BodyKind body() {
      return BodyKind.NONE;
    }

    @Override
    public List<AccessNeed> needs(S3Target target) {
      return S3Action.GET_OBJECT.needs(target);
    }
  }

  /** Reads an object's metadata. */
  record HeadObject() implements S3Operation {
    @Override
    public String name() {
      return S3Action.HEAD_OBJECT.apiName();
    }

    @Override
    public boolean idempotent() {
      return true;
    }

    @Override
    public BodyKind body() {
      return BodyKind.NONE;
    }

    @Override
    public List<AccessNeed> needs(S3Target target) {
      return S3Action.HEAD_OBJECT.needs(target);
    }
  }

  /**
   * A browser's CORS preflight (OPTIONS). It is never signed, so it must pass without a tenant; the
   * store answers by the bucket's CORS rules alone.
   */
  record Preflight() implements S3Operation {
    @Override
    public String name() {
      return "OptionsObject";
    }

    @Override
    public boolean idempotent() {
      return true;
    }

    @Override
    public BodyKind body() {
      return BodyKind.NONE;
    }

    @Override
    public List<AccessNeed> needs(S3Target target) {
      return List.of();
    }
  }

  /** Lists buckets; the answer shows only those that the tenant may see. */
  record ListBuckets() implements S3Operation {
    @Override
    public String name() {
      return S3Action.LIST_BUCKETS.apiName();
    }

    @Override
    public boolean idempotent() {
      return true;
    }

    @Override
    public BodyKind body() {
      return BodyKind.NONE;
    }

    @Override
    public List<AccessNeed> needs(S3Target target) {
      return List.of();
    }
  }

  /** CopyObject and UploadPartCopy: reads the source and writes the target. */
  record Copy(Plain write, CopySource source) implements S3Operation {
    @Override
    public String name() {
      return write.name();
    }

    @Override
    public boolean idempotent() {
      return write.idempotent();
    }

    @Override
    public BodyKind body() {
      return write.body();
    }

    @Override
    public List<AccessNeed> needs(S3Target target) {
      List<AccessNeed> needs = new ArrayList<>(write.needs(target));
      needs.add(AccessNeed.object(source.bucket(), source.key(), Access.READ));
      return List.copyOf(needs);
    }
  }

  /**
   * Deletes the keys named in its body.
   *
   * @param privileged as in {@link Plain}
   */
  record DeleteObjects(boolean privileged) implements S3Operation {
    @Override
    public String name() {
      return S3Action.DELETE_OBJECTS.apiName();
    }

    @Override
    public boolean idempotent() {
      return true;
    }

    @Override
    public BodyKind body() {
      return BodyKind.DOCUMENT;
    }

    /**
     * What can be asked before the body is read; {@link #needs(S3Target, List)} decides after it.
     */
    @Override
    public List<AccessNeed> needs(S3Target target) {
      return List.of(AccessNeed.bucket(target.bucket(), Access.READ));
    }

    /** What is needed to delete {@code keys}. */
    public List<AccessNeed> needs(S3Target target, List<String> keys) {
      List<AccessNeed> needs = new ArrayList<>(keys.size());
      for (String key : keys) {
        needs.add(AccessNeed.object(target.bucket(), key, Access.WRITE));
        if (privileged) {
          needs.add(AccessNeed.object(target.bucket(), key, Access.ADMIN));
        }
      }
      return List.copyOf(needs);
    }
  }

  /**
   * An operation that is passed on as it is.
   *
   * @param privileged its fields reach past the gateway's policy (a public ACL, a grant, the bypass
   *     of a retention), so that it needs ADMIN as well
   * @param conditional it has If-Match or If-None-Match, so that a repeated write may be refused
   *     because the first one worked
   */
  record Plain(S3Action action, boolean privileged, boolean conditional) implements S3Operation {
    @Override
    public String name() {
      return action.apiName();
    }

    @Override
    public boolean idempotent() {
      return action.idempotent() && !(conditional && action.writes());
    }

    @Override
    public BodyKind body() {
      return action.body();
    }

    @Override
    public List<AccessNeed> needs(S3Target target) {
      List<AccessNeed> needs = action.needs(target);
      if (!privileged) {
        return needs;
      }
      List<AccessNeed> more = new ArrayList<>(needs);
      for (AccessNeed need : needs) {
        more.add(new AccessNeed(need.bucket(), need.key(), need.scope(), Access.ADMIN));
      }
      return List.copyOf(more);
    }
  }

  /** Many objects in one Arrow stream; which ones, and so what is needed, only the body says. */
  record Batch() implements S3Operation {
    @Override
    public String name() {
      return "Batch";
    }

    @Override
    public boolean idempotent() {
      return true;
    }

    @Override
    public BodyKind body() {
      return BodyKind.DOCUMENT;
    }

    @Override
    public List<AccessNeed> needs(S3Target target) {
      return List.of();
    }
  }

  /** One rank's part of an epoch as an Arrow stream; as {@link Batch}. */
  record Epoch() implements S3Operation {
    @Override
    public String name() {
      return "Epoch";
    }

    @Override
    public boolean idempotent() {
      return true;
    }

    @Override
    public BodyKind body() {
      return BodyKind.DOCUMENT;
    }

    @Override
    public List<AccessNeed> needs(S3Target target) {
      return List.of();
    }
  }

  /**
   * A path below {@code /-/}, which no bucket can have: kept for the gateway's own requests, never
   * sent to the store.
   *
   * @param path what follows {@code /-/}, decoded
   */
  record Reserved(String path) implements S3Operation {
    @Override
    public String name() {
      return "Reserved";
    }

    @Override
    public boolean idempotent() {
      return false;
    }

    @Override
    public BodyKind body() {
      return BodyKind.DOCUMENT;
    }

    @Override
    public List<AccessNeed> needs(S3Target target) {
      return List.of();
    }
  }
}
