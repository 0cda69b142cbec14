package io.penstock.gateway.s3;

import static io.penstock.config.TenantConfig.Access.ADMIN;
import static io.penstock.config.TenantConfig.Access.READ;
import static io.penstock.config.TenantConfig.Access.WRITE;
import static io.penstock.gateway.s3.BodyKind.DOCUMENT;
import static io.penstock.gateway.s3.BodyKind.NONE;
import static io.penstock.gateway.s3.BodyKind.STREAM;
import static io.penstock.gateway.s3.Refusal.DIRECTORY;
import static io.penstock.gateway.s3.Refusal.FORM;
import static io.penstock.gateway.s3.S3Action.Level.BUCKET;
import static io.penstock.gateway.s3.S3Action.Level.OBJECT;
import static io.penstock.gateway.s3.S3Action.Level.SERVICE;
import static io.penstock.gateway.s3.S3Action.Verb.COPY;
import static io.penstock.gateway.s3.S3Action.Verb.DELETE;
import static io.penstock.gateway.s3.S3Action.Verb.GET;
import static io.penstock.gateway.s3.S3Action.Verb.HEAD;
import static io.penstock.gateway.s3.S3Action.Verb.POST;
import static io.penstock.gateway.s3.S3Action.Verb.PUT;
import static io.penstock.gateway.s3.SharedParameters.ANNOTATIONS;
import static io.penstock.gateway.s3.SharedParameters.BUCKETS;
import static io.penstock.gateway.s3.SharedParameters.LISTING;
import static io.penstock.gateway.s3.SharedParameters.READING;

import io.penstock.config.TenantConfig.Access;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Every operation of the S3 API, one row each: how its request looks, what it needs and what its
 * body is. The constant's name is the API's name in another spelling. After the level comes the
 * selector: the query parameter that makes the request this operation, with {@code &} and a second
 * one where only both together do; last, the other parameters it knows.
 */
@SuppressWarnings(
    "ImmutableEnumChecker") // the collections are unmodifiable, their types cannot say
public enum S3Action {
  LIST_BUCKETS(GET, SERVICE, "", READ, NONE, BUCKETS),
  LIST_DIRECTORY_BUCKETS(GET, SERVICE, "max-directory-buckets", DIRECTORY),
  CREATE_BUCKET(PUT, BUCKET, "", ADMIN, DOCUMENT),
  DELETE_BUCKET(DELETE, BUCKET, "", ADMIN, NONE),
  HEAD_BUCKET(HEAD, BUCKET, "", READ, NONE, "read-stats"),
  GET_BUCKET_LOCATION(GET, BUCKET, "location", READ, NONE),
  LIST_OBJECTS(GET, BUCKET, "", READ, NONE, LISTING),
  LIST_OBJECTS_V2(GET, BUCKET, "list-type", READ, NONE, LISTING),
  LIST_OBJECT_VERSIONS(GET, BUCKET, "versions", READ, NONE, LISTING),
  LIST_MULTIPART_UPLOADS(GET, BUCKET, "uploads", WRITE, NONE, LISTING),
  DELETE_OBJECTS(POST, BUCKET, "delete", WRITE, DOCUMENT),
  POST_OBJECT(POST, BUCKET, "", FORM),
  CREATE_SESSION(GET, BUCKET, "session", DIRECTORY),
  GET_BUCKET_ABAC(GET, BUCKET, "abac", ADMIN, NONE),
  PUT_BUCKET_ABAC(PUT, BUCKET, "abac", ADMIN, DOCUMENT),
  GET_BUCKET_ACCELERATE_CONFIGURATION(GET, BUCKET, "accelerate", ADMIN, NONE),
  PUT_BUCKET_ACCELERATE_CONFIGURATION(PUT, BUCKET, "accelerate", ADMIN, DOCUMENT),
  GET_BUCKET_ACL(GET, BUCKET, "acl", ADMIN, NONE),
  PUT_BUCKET_ACL(PUT, BUCKET, "acl", ADMIN, DOCUMENT),
  GET_BUCKET_LOGGING(GET, BUCKET, "logging", ADMIN, NONE),
  PUT_BUCKET_LOGGING(PUT, BUCKET, "logging", ADMIN, DOCUMENT),
  GET_BUCKET_NOTIFICATION_CONFIGURATION(GET, BUCKET, "notification", ADMIN, NONE),
  PUT_BUCKET_NOTIFICATION_CONFIGURATION(PUT, BUCKET, "notification", ADMIN, DOCUMENT),
  GET_BUCKET_REQUEST_PAYMENT(GET, BUCKET, "requestPayment", ADMIN, NONE),
  PUT_BUCKET_REQUEST_PAYMENT(PUT, BUCKET, "requestPayment", ADMIN, DOCUMENT),
  GET_BUCKET_VERSIONING(GET, BUCKET, "versioning", ADMIN, NONE),
  PUT_BUCKET_VERSIONING(PUT, BUCKET, "versioning", ADMIN, DOCUMENT),
  DELETE_BUCKET_NOTIFICATION_CONFIGURATION(DELETE, BUCKET, "notification", ADMIN, NONE),
  GET_BUCKET_CORS(GET, BUCKET, "cors", ADMIN, NONE),
  PUT_BUCKET_CORS(PUT, BUCKET, "cors", ADMIN, DOCUMENT),
  DELETE_BUCKET_CORS(DELETE, BUCKET, "cors", ADMIN, NONE),
  GET_BUCKET_ENCRYPTION(GET, BUCKET, "encryption", ADMIN, NONE),
  PUT_BUCKET_ENCRYPTION(PUT, BUCKET, "encryption", ADMIN, DOCUMENT),
  DELETE_BUCKET_ENCRYPTION(DELETE, BUCKET, "encryption", ADMIN, NONE),
  GET_BUCKET_LIFECYCLE_CONFIGURATION(GET, BUCKET, "lifecycle", ADMIN, NONE),
  PUT_BUCKET_LIFECYCLE_CONFIGURATION(PUT, BUCKET, "lifecycle", ADMIN, DOCUMENT),
  DELETE_BUCKET_LIFECYCLE(DELETE, BUCKET, "lifecycle", ADMIN, NONE),
  GET_BUCKET_OWNERSHIP_CONTROLS(GET, BUCKET, "ownershipControls", ADMIN, NONE),
  PUT_BUCKET_OWNERSHIP_CONTROLS(PUT, BUCKET, "ownershipControls", ADMIN, DOCUMENT),
  DELETE_BUCKET_OWNERSHIP_CONTROLS(DELETE, BUCKET, "ownershipControls", ADMIN, NONE),
  GET_BUCKET_POLICY(GET, BUCKET, "policy", ADMIN, NONE),
  PUT_BUCKET_POLICY(PUT, BUCKET, "policy", ADMIN, DOCUMENT),
  DELETE_BUCKET_POLICY(DELETE, BUCKET, "policy", ADMIN, NONE),
  GET_BUCKET_REPLICATION(GET, BUCKET, "replication", ADMIN, NONE),
  PUT_BUCKET_REPLICATION(PUT, BUCKET, "replication", ADMIN, DOCUMENT),
  DELETE_BUCKET_REPLICATION(DELETE, BUCKET, "replication", ADMIN, NONE),
  GET_BUCKET_TAGGING(GET, BUCKET, "tagging", ADMIN, NONE),
  PUT_BUCKET_TAGGING(PUT, BUCKET, "tagging", ADMIN, DOCUMENT),
  DELETE_BUCKET_TAGGING(DELETE, BUCKET, "tagging", ADMIN, NONE),
  GET_BUCKET_WEBSITE(GET, BUCKET, "website", ADMIN, NONE),
  PUT_BUCKET_WEBSITE(PUT, BUCKET, "website", ADMIN, DOCUMENT),
  DELETE_BUCKET_WEBSITE(DELETE, BUCKET, "website", ADMIN, NONE),
  GET_BUCKET_POLICY_STATUS(GET, BUCKET, "policyStatus", ADMIN, NONE),
  GET_PUBLIC_ACCESS_BLOCK(GET, BUCKET, "publicAccessBlock", ADMIN, NONE),
  PUT_PUBLIC_ACCESS_BLOCK(PUT, BUCKET, "publicAccessBlock", ADMIN, DOCUMENT),
  DELETE_PUBLIC_ACCESS_BLOCK(DELETE, BUCKET, "publicAccessBlock", ADMIN, NONE),
  GET_OBJECT_LOCK_CONFIGURATION(GET, BUCKET, "object-lock", ADMIN, NONE),
  PUT_OBJECT_LOCK_CONFIGURATION(PUT, BUCKET, "object-lock", ADMIN, DOCUMENT),
  GET_BUCKET_ANALYTICS_CONFIGURATION(GET, BUCKET, "analytics&id", ADMIN, NONE),
  PUT_BUCKET_ANALYTICS_CONFIGURATION(PUT, BUCKET, "analytics&id", ADMIN, DOCUMENT),
  DELETE_BUCKET_ANALYTICS_CONFIGURATION(DELETE, BUCKET, "analytics&id", ADMIN, NONE),
  LIST_BUCKET_ANALYTICS_CONFIGURATIONS(GET, BUCKET, "analytics", ADMIN, NONE, "continuation-token"),
  GET_BUCKET_INTELLIGENT_TIERING_CONFIGURATION(GET, BUCKET, "intelligent-tiering&id", ADMIN, NONE),
  PUT_BUCKET_INTELLIGENT_TIERING_CONFIGURATION(
      PUT, BUCKET, "intelligent-tiering&id", ADMIN, DOCUMENT),
  DELETE_BUCKET_INTELLIGENT_TIERING_CONFIGURATION(
      DELETE, BUCKET, "intelligent-tiering&id", ADMIN, NONE),
  LIST_BUCKET_INTELLIGENT_TIERING_CONFIGURATIONS(
      GET, BUCKET, "intelligent-tiering", ADMIN, NONE, "continuation-token"),
  GET_BUCKET_INVENTORY_CONFIGURATION(GET, BUCKET, "inventory&id", ADMIN, NONE),
  PUT_BUCKET_INVENTORY_CONFIGURATION(PUT, BUCKET, "inventory&id", ADMIN, DOCUMENT),
  DELETE_BUCKET_INVENTORY_CONFIGURATION(DELETE, BUCKET, "inventory&id", ADMIN, NONE),
  LIST_BUCKET_INVENTORY_CONFIGURATIONS(GET, BUCKET, "inventory", ADMIN, NONE, "continuation-token"),
  GET_BUCKET_METRICS_CONFIGURATION(GET, BUCKET, "metrics&id", ADMIN, NONE),
  PUT_BUCKET_METRICS_CONFIGURATION(PUT, BUCKET, "metrics&id", ADMIN, DOCUMENT),
  DELETE_BUCKET_METRICS_CONFIGURATION(DELETE, BUCKET, "metrics&id", ADMIN, NONE),
  LIST_BUCKET_METRICS_CONFIGURATIONS(GET, BUCKET, "metrics", ADMIN, NONE, "continuation-token"),
  CREATE_BUCKET_METADATA_CONFIGURATION(POST, BUCKET, "metadataConfiguration", ADMIN, DOCUMENT),
  GET_BUCKET_METADATA_CONFIGURATION(GET, BUCKET, "metadataConfiguration", ADMIN, NONE),
  DELETE_BUCKET_METADATA_CONFIGURATION(DELETE, BUCKET, "metadataConfiguration", ADMIN, NONE),
  CREATE_BUCKET_METADATA_TABLE_CONFIGURATION(POST, BUCKET, "metadataTable", ADMIN, DOCUMENT),
  GET_BUCKET_METADATA_TABLE_CONFIGURATION(GET, BUCKET, "metadataTable", ADMIN, NONE),
  DELETE_BUCKET_METADATA_TABLE_CONFIGURATION(DELETE, BUCKET, "metadataTable", ADMIN, NONE),
  UPDATE_BUCKET_METADATA_ANNOTATION_TABLE_CONFIGURATION(
      PUT, BUCKET, "metadataAnnotationTable", ADMIN, DOCUMENT),
  UPDATE_BUCKET_METADATA_INVENTORY_TABLE_CONFIGURATION(
      PUT, BUCKET, "metadataInventoryTable", ADMIN, DOCUMENT),
  UPDATE_BUCKET_METADATA_JOURNAL_TABLE_CONFIGURATION(
      PUT, BUCKET, "metadataJournalTable", ADMIN, DOCUMENT),
  GET_OBJECT(GET, OBJECT, "", READ, NONE, READING),
  HEAD_OBJECT(HEAD, OBJECT, "", READ, NONE, READING),
  PUT_OBJECT(PUT, OBJECT, "", WRITE, STREAM),
  COPY_OBJECT(COPY, OBJECT, "", WRITE, NONE),
  APPEND_OBJECT(PUT, OBJECT, "append", WRITE, STREAM, "position"),
  DELETE_OBJECT(DELETE, OBJECT, "", WRITE, NONE, "versionId"),
  CREATE_MULTIPART_UPLOAD(POST, OBJECT, "uploads", WRITE, NONE),
  UPLOAD_PART(PUT, OBJECT, "uploadId&partNumber", WRITE, STREAM),
  UPLOAD_PART_COPY(COPY, OBJECT, "uploadId&partNumber", WRITE, NONE),
  LIST_PARTS(GET, OBJECT, "uploadId", WRITE, NONE, "max-parts part-number-marker encoding-type"),
  COMPLETE_MULTIPART_UPLOAD(POST, OBJECT, "uploadId", WRITE, DOCUMENT),
  ABORT_MULTIPART_UPLOAD(DELETE, OBJECT, "uploadId", WRITE, NONE),
  GET_OBJECT_ATTRIBUTES(GET, OBJECT, "attributes", READ, NONE, "versionId"),
  GET_OBJECT_TORRENT(GET, OBJECT, "torrent", READ, NONE),
  GET_OBJECT_ACL(GET, OBJECT, "acl", READ, NONE, "versionId"),
  PUT_OBJECT_ACL(PUT, OBJECT, "acl", ADMIN, DOCUMENT, "versionId"),
  GET_OBJECT_TAGGING(GET, OBJECT, "tagging", READ, NONE, "versionId"),
  PUT_OBJECT_TAGGING(PUT, OBJECT, "tagging", WRITE, DOCUMENT, "versionId"),
  DELETE_OBJECT_TAGGING(DELETE, OBJECT, "tagging", WRITE, NONE, "versionId"),
  GET_OBJECT_LEGAL_HOLD(GET, OBJECT, "legal-hold", READ, NONE, "versionId"),
  PUT_OBJECT_LEGAL_HOLD(PUT, OBJECT, "legal-hold", WRITE, DOCUMENT, "versionId"),
  GET_OBJECT_RETENTION(GET, OBJECT, "retention", READ, NONE, "versionId"),
  PUT_OBJECT_RETENTION(PUT, OBJECT, "retention", WRITE, DOCUMENT, "versionId"),
  GET_OBJECT_ANNOTATION(GET, OBJECT, "annotation&annotationName", READ, NONE, "versionId"),
  PUT_OBJECT_ANNOTATION(PUT, OBJECT, "annotation&annotationName", WRITE, STREAM, "versionId"),
  DELETE_OBJECT_ANNOTATION(DELETE, OBJECT, "annotation&annotationName", WRITE, NONE, "versionId"),
  LIST_OBJECT_ANNOTATIONS(GET, OBJECT, "annotation", READ, NONE, ANNOTATIONS),
  RESTORE_OBJECT(POST, OBJECT, "restore", WRITE, DOCUMENT, "versionId"),
  SELECT_OBJECT_CONTENT(POST, OBJECT, "select", READ, DOCUMENT, "select-type"),
  UPDATE_OBJECT_ENCRYPTION(PUT, OBJECT, "encryption", WRITE, DOCUMENT, "versionId"),
  RENAME_OBJECT(PUT, OBJECT, "renameObject", DIRECTORY);

  /** What an operation acts on. */
  public enum Level {
    SERVICE,
    BUCKET,
    OBJECT
  }

  /** The request method; COPY is a PUT with a copy source, which makes it another operation. */
  enum Verb {
    GET,
    HEAD,
    PUT,
    COPY,
    POST,
    DELETE
  }

  private static final Set<S3Action> REPEATABLE_POSTS =
      EnumSet.of(DELETE_OBJECTS, SELECT_OBJECT_CONTENT);

  private final String apiName;
  private final Verb verb;
  private final Level level;
  private final List<String> selector;
  private final @Nullable Access access;
  private final BodyKind body;
  private final Set<String> parameters;
  private final @Nullable Refusal refusal;

  S3Action(Verb verb, Level level, String selector, Access access, BodyKind body) {
    this(verb, level, selector, access, body, "");
  }

  S3Action(
      Verb verb, Level level, String selector, Access access, BodyKind body, String parameters) {
    this(verb, level, selector, access, body, parameters, null);
  }

  S3Action(Verb verb, Level level, String selector, Refusal refusal) {
    this(verb, level, selector, null, NONE, "", refusal);
  }

  S3Action(
      Verb verb,
      Level level,
      String selector,
      @Nullable Access access,
      BodyKind body,
      String parameters,
      @Nullable Refusal refusal) {
    this.apiName =
        Stream.of(name().split("_", -1))
            .map(word -> word.charAt(0) + word.substring(1).toLowerCase(Locale.ROOT))
            .collect(Collectors.joining());
    this.verb = verb;
    this.level = level;
    this.selector = words(selector, "&");
    this.access = access;
    this.body = body;
    this.parameters =
        Stream.concat(this.selector.stream(), words(parameters, " ").stream())
            .collect(Collectors.toUnmodifiableSet());
    this.refusal = refusal;
  }

  private static List<String> words(String text, String separator) {
    return text.isEmpty() ? List.of() : List.of(text.split(separator, -1));
  }

  /** The operation's name in the AWS API. */
  public String apiName() {
    return apiName;
  }

  Verb verb() {
    return verb;
  }

  Level level() {
    return level;
  }

  /** The parameters that make a request this operation; none for the plain resource. */
  List<String> selector() {
    return selector;
  }

  /** Every parameter the operation knows, the selector among them. */
  Set<String> parameters() {
    return parameters;
  }

  BodyKind body() {
    return body;
  }

  /** Why the gateway cannot pass this operation on, whatever the store, if it cannot. */
  Optional<Refusal> refusal() {
    return Optional.ofNullable(refusal);
  }

  boolean writes() {
    return access != READ;
  }

  boolean idempotent() {
    return this != APPEND_OBJECT && (verb != POST || REPEATABLE_POSTS.contains(this));
  }

  /** What the tenant must be allowed to do. */
  List<AccessNeed> needs(S3Target target) {
    if (access == null || level == SERVICE) {
      return List.of();
    }
    if (level == OBJECT) {
      return List.of(AccessNeed.object(target.bucket(), target.key(), access));
    }
    return List.of(
        parameters.contains("prefix")
            ? AccessNeed.listing(target.bucket(), target.query().get("prefix").orElse(""), access)
            : AccessNeed.bucket(target.bucket(), access));
  }
}
