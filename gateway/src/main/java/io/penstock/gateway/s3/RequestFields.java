package io.penstock.gateway.s3;

import io.penstock.gateway.http.HttpFields;
import io.penstock.gateway.http.RequestHead;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * A request's fields and query, sorted by meaning. A presigned URL may carry {@code x-amz-*} fields
 * as query parameters; those become fields here, unless the field is there already, so that the
 * rest of the gateway and the store see them in one place. Signature parameters, which have done
 * their work, are dropped.
 *
 * @param fields the request's own fields, then those from the query
 * @param query what is left of the query, order kept
 */
record RequestFields(HttpFields fields, Query query) {
  private static final String PREFIX = "x-amz-";
  private static final Set<String> SIGNATURE =
      Set.of(
          "x-amz-algorithm",
          "x-amz-credential",
          "x-amz-date",
          "x-amz-expires",
          "x-amz-signedheaders",
          "x-amz-signature",
          "x-amz-security-token",
          "x-amz-content-sha256",
          "x-amz-user-agent");
  // signature version 2
  private static final Set<String> OLD_SIGNATURE = Set.of("AWSAccessKeyId", "Signature", "Expires");

  static RequestFields of(RequestHead head) {
    Query query = Query.parse(head.rawQuery());
    if (query.parameters().isEmpty()) {
      return new RequestFields(head.fields(), query);
    }
    HttpFields.Builder fields = head.fields().toBuilder();
    List<Query.Parameter> rest = new ArrayList<>();
    for (Query.Parameter parameter : query.parameters()) {
      String name = parameter.name().toLowerCase(Locale.ROOT);
      if (!name.startsWith(PREFIX)) {
        if (!OLD_SIGNATURE.contains(parameter.name())) {
          rest.add(parameter);
        }
      } else if (!SIGNATURE.contains(name) && !head.fields().has(name)) {
        fields.add(fieldName(name), fieldValue(parameter));
      }
    }
    return new RequestFields(fields.build(), new Query(rest));
  }

  /** Decoded, a parameter may hold line breaks, which on the wire would begin another field. */
  private static String fieldName(String name) {
    if (!name.chars().allMatch(RequestFields::isToken)) {
      throw notAField(name);
    }
    return name;
  }

  private static String fieldValue(Query.Parameter parameter) {
    if (parameter.value().chars().anyMatch(c -> c < ' ' || c > '~')) {
      throw notAField(parameter.name());
    }
    return parameter.value();
  }

  private static boolean isToken(int c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || "!#$%&'*+-.^_`|~".indexOf(c) >= 0;
  }

  private static S3Exception notAField(String name) {
    return new S3Exception(
        S3Error.INVALID_ARGUMENT,
        "The query parameter "
            + UriEncoding.shown(name)
            + " stands for a field and holds characters that a field cannot have");
  }
}
