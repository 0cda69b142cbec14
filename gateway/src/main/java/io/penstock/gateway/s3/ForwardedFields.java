package io.penstock.gateway.s3;

import io.penstock.gateway.http.HttpFields;
import io.penstock.gateway.http.RequestHead;
import io.penstock.gateway.http.ResponseHead;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Which fields go on to the store, and which come back. Everything passes in order, with what the
 * gateway does not know among it, but for: fields of one connection (hop by hop), the client's
 * signature and what describes the body's form on the wire (the gateway signs and frames anew), and
 * fields that would speak about a host that is not theirs.
 *
 * <p>Threading: stateless.
 */
public final class ForwardedFields {
  private static final Set<String> HOP_BY_HOP =
      Set.of(
          "connection",
          "keep-alive",
          "proxy-connection",
          "proxy-authenticate",
          "proxy-authorization",
          "te",
          "trailer",
          "transfer-encoding",
          "upgrade",
          "http2-settings");

  /**
   * Of a request. No Accept-Encoding: without one no store compresses on the fly, which would
   * change lengths and bytes under the client's ranges and checksums. No Expect: the gateway
   * answers it itself.
   */
  private static final Set<String> OWN_OF_CLIENT =
      Set.of(
          "host",
          "content-length",
          "authorization",
          "date",
          "expect",
          "accept-encoding",
          "forwarded",
          "via",
          "x-real-ip",
          "x-amz-date",
          "x-amz-security-token",
          "x-amz-content-sha256",
          "x-amz-decoded-content-length",
          "x-amz-trailer");

  /** Of a response: promises about the store's host, which a client would take for ours. */
  private static final Set<String> OWN_OF_STORE = Set.of("alt-svc", "strict-transport-security");

  private static final String CHECKSUM = "x-amz-checksum-";

  private static final List<String> OTHER_STORES =
      List.of(
          "x-minio-force-",
          "x-minio-source-",
          "x-minio-replication-",
          "x-rgw-",
          "x-oss-",
          "x-cos-",
          "x-obs-",
          "x-goog-",
          "x-bce-",
          "x-emc-",
          "x-ms-");
  private static final String COPY_SOURCE = "x-amz-copy-source";

  /** Begin like a checksum and are none. */
  private static final Set<String> ABOUT_CHECKSUMS =
      Set.of("x-amz-checksum-algorithm", "x-amz-checksum-mode", "x-amz-checksum-type");

  private ForwardedFields() {}

  /**
   * The fields of the request to the store. A copy source goes out in one spelling that every store
   * reads as the gateway did, and only with an operation that was authorised for it.
   */
  public static HttpFields request(RequestHead head, S3Operation operation) {
    HttpFields fields = RequestFields.of(head).fields();
    if (operation instanceof S3Operation.Preflight) {
      return fields.without(name -> !isPreflight(name.toLowerCase(Locale.ROOT)));
    }
    Set<String> dropped = connectionFields(fields);
    boolean checksum = hasChecksum(fields);
    HttpFields.Builder out = HttpFields.builder();
    for (int i = 0; i < fields.size(); i++) {
      String name = fields.name(i).toLowerCase(Locale.ROOT);
      if (HOP_BY_HOP.contains(name)
          || OWN_OF_CLIENT.contains(name)
          || name.startsWith("x-forwarded-")
          || isOtherStores(name)
          || dropped.contains(name)) {
        continue;
      }
      String value =
          switch (name) {
            case "content-encoding" -> withoutChunking(fields.value(i));
            case "x-amz-sdk-checksum-algorithm" -> checksum ? fields.value(i) : "";
            case COPY_SOURCE ->
                operation instanceof S3Operation.Copy copy ? copy.source().encoded() : "";
            default -> fields.value(i);
          };
      if (!value.isEmpty() || fields.value(i).isEmpty()) {
        out.add(fields.name(i), value);
      }
    }
    return out.build();
  }

  /**
   * The fields of the response to the client. A 206 loses its checksums: they are those of the
   * whole object, and clients compare them with the bytes they got.
   */
  public static HttpFields response(ResponseHead head) {
    Set<String> dropped = connectionFields(head.fields());
    return head.fields()
        .without(
            field -> {
              String name = field.toLowerCase(Locale.ROOT);
              return HOP_BY_HOP.contains(name)
                  || OWN_OF_STORE.contains(name)
                  || dropped.contains(name)
                  || (head.status() == 206 && name.startsWith(CHECKSUM));
            });
  }

  /** All that the store needs to answer a browser that nobody has authenticated. */
  private static boolean isPreflight(String name) {
    return name.equals("origin")
        || name.equals("user-agent")
        || name.startsWith("access-control-request-");
  }

  /**
   * Fields with which other stores do what S3's own fields do: copy, grant, delete by force. The
   * gateway would sign them with a weight that nobody has authorised.
   */
  private static boolean isOtherStores(String name) {
    if (!name.startsWith("x-") || name.startsWith("x-amz-")) {
      return false;
    }
    for (String prefix : OTHER_STORES) {
      if (name.startsWith(prefix)) {
        return true;
      }
    }
    return false;
  }

  /** The names that Connection lists. */
  private static Set<String> connectionFields(HttpFields fields) {
    if (!fields.has("connection")) {
      return Set.of();
    }
    Set<String> names = new HashSet<>();
    for (String value : fields.all("connection")) {
      for (String token : value.split(",", -1)) {
        names.add(token.strip().toLowerCase(Locale.ROOT));
      }
    }
    return names;
  }

  /** A store refuses the algorithm's name without the checksum, which a trailer took with it. */
  private static boolean hasChecksum(HttpFields fields) {
    for (int i = 0; i < fields.size(); i++) {
      String name = fields.name(i).toLowerCase(Locale.ROOT);
      if (name.startsWith(CHECKSUM) && !ABOUT_CHECKSUMS.contains(name)) {
        return true;
      }
    }
    return false;
  }

  private static String withoutChunking(String codings) {
    if (!codings.toLowerCase(Locale.ROOT).contains("aws-chunked")) {
      return codings;
    }
    return Stream.of(codings.split(",", -1))
        .map(String::strip)
        .filter(coding -> !coding.isEmpty() && !coding.equalsIgnoreCase("aws-chunked"))
        .collect(Collectors.joining(","));
  }
}
