package io.penstock.gateway.s3;

import io.penstock.gateway.http.HttpFields;
import io.penstock.gateway.http.RequestHead;
import io.penstock.gateway.s3.S3Action.Level;
import io.penstock.gateway.s3.S3Action.Verb;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Turns a request head, whose signature has been verified on the raw bytes, into an operation and
 * its target. Everything is decoded exactly once; what is not understood is refused with an {@link
 * S3Exception} and never guessed.
 *
 * <p>Threading: immutable.
 */
public final class S3RequestParser {
  private static final String RESERVED_BUCKET = "-";
  private static final Set<String> HARMLESS_ACLS =
      Set.of("private", "bucket-owner-read", "bucket-owner-full-control");

  private final RequestAddress address;
  private final StoreKind store;

  /**
   * A parser that takes {@code bucket.DOMAIN} for virtual-host style for these domains.
   *
   * @param domains host names without port; empty means path style only
   * @param store where the requests go
   */
  public S3RequestParser(List<String> domains, StoreKind store) {
    this.address = new RequestAddress(domains);
    this.store = store;
  }

  /**
   * Parses one request.
   *
   * @throws S3Exception InvalidURI, InvalidBucketName, MethodNotAllowed, InvalidArgument,
   *     InvalidRequest or NotImplemented
   */
  public S3Request parse(RequestHead head) {
    RequestAddress.Location location = address.of(head);
    if (location.bucket().equals(RESERVED_BUCKET)) {
      Query query = Query.parse(head.rawQuery());
      return new S3Request(
          reserved(head.method(), location.key(), query),
          new S3Target(RESERVED_BUCKET, location.key(), query));
    }
    check(location);
    RequestFields request = RequestFields.of(head);
    if (head.method().equals("OPTIONS")) {
      return new S3Request(
          new S3Operation.Preflight(),
          new S3Target(location.bucket(), location.key(), Query.EMPTY));
    }
    if (head.method().equals("POST") && request.fields().has("x-amz-request-route")) {
      throw ActionTable.notImplemented(
          "WriteGetObjectResponse", "only an object lambda of AWS can answer it");
    }
    Level level = levelOf(location);
    Verb verb = verbOf(head.method(), level, request.fields());
    ActionTable.Match match = ActionTable.find(verb, level, request.query(), store);
    return new S3Request(
        operation(match.action(), request.fields()),
        new S3Target(location.bucket(), location.key(), match.query()));
  }

  private static S3Operation reserved(String method, String path, Query query) {
    S3Operation operation =
        switch (path) {
          case "batch" -> new S3Operation.Batch();
          case "epochs" -> new S3Operation.Epoch();
          default -> new S3Operation.Reserved(path);
        };
    if (operation instanceof S3Operation.Reserved) {
      return operation;
    }
    if (!method.equals("POST")) {
      throw new S3Exception(
          S3Error.METHOD_NOT_ALLOWED, "Send a POST to /-/" + path + ", with a request in JSON.");
    }
    for (Query.Parameter parameter : query.parameters()) {
      if (!parameter.name().regionMatches(true, 0, "x-", 0, 2)) {
        throw new S3Exception(
            S3Error.INVALID_ARGUMENT,
            "/-/" + path + " has no parameters: everything is said in its body.");
      }
    }
    return operation;
  }

  private static void check(RequestAddress.Location location) {
    boolean service = location.bucket().isEmpty() && location.key().isEmpty();
    if (!service && !BucketName.isAcceptable(location.bucket())) {
      throw new S3Exception(
          S3Error.INVALID_BUCKET_NAME,
          "The specified bucket is not valid; a bucket name has letters, digits, hyphens, dots");
    }
    if (StoreAdministration.isAt(location.bucket(), location.key())) {
      throw ActionTable.notImplemented(
          "Administration of the store", "use the store's own address for it");
    }
  }

  private static Level levelOf(RequestAddress.Location location) {
    if (location.bucket().isEmpty()) {
      return Level.SERVICE;
    }
    return location.key().isEmpty() ? Level.BUCKET : Level.OBJECT;
  }

  private static Verb verbOf(String method, Level level, HttpFields fields) {
    return switch (method) {
      case "GET" -> Verb.GET;
      case "HEAD" -> Verb.HEAD;
      case "POST" -> Verb.POST;
      case "DELETE" -> Verb.DELETE;
      case "PUT" -> level == Level.OBJECT && fields.has("x-amz-copy-source") ? Verb.COPY : Verb.PUT;
      default ->
          throw new S3Exception(
              S3Error.METHOD_NOT_ALLOWED, "S3 has no method " + printable(method));
    };
  }

  private static S3Operation operation(S3Action action, HttpFields fields) {
    return switch (action) {
      case GET_OBJECT -> new S3Operation.GetObject();
      case HEAD_OBJECT -> new S3Operation.HeadObject();
      case LIST_BUCKETS -> new S3Operation.ListBuckets();
      case DELETE_OBJECTS -> new S3Operation.DeleteObjects(privileged(fields));
      case COPY_OBJECT, UPLOAD_PART_COPY ->
          new S3Operation.Copy(plain(action, fields), copySource(fields));
      default -> plain(action, fields);
    };
  }

  private static S3Operation.Plain plain(S3Action action, HttpFields fields) {
    boolean conditional = fields.has("if-match") || fields.has("if-none-match");
    return new S3Operation.Plain(action, privileged(fields), conditional);
  }

  /** Whether the fields give others access to what the gateway's policy guards. */
  private static boolean privileged(HttpFields fields) {
    for (int i = 0; i < fields.size(); i++) {
      String name = fields.name(i).toLowerCase(Locale.ROOT);
      String value = fields.value(i);
      if (name.startsWith("x-amz-grant-")
          || (name.equals("x-amz-acl") && !HARMLESS_ACLS.contains(value))
          || (name.equals("x-amz-bypass-governance-retention") && value.equalsIgnoreCase("true"))) {
        return true;
      }
    }
    return false;
  }

  private static CopySource copySource(HttpFields fields) {
    List<String> values = fields.all("x-amz-copy-source");
    if (values.size() != 1) {
      throw new S3Exception(S3Error.INVALID_ARGUMENT, "x-amz-copy-source is given more than once");
    }
    return CopySource.parse(values.getFirst());
  }

  private static String printable(String method) {
    return method.length() <= 20 && method.matches("[A-Za-z-]+") ? method : "of that name";
  }
}
