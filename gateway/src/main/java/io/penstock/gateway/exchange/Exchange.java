package io.penstock.gateway.exchange;

import io.penstock.gateway.http.Cancellation;
import io.penstock.gateway.http.RequestHead;
import io.penstock.gateway.s3.S3Request;
import io.penstock.gateway.sigv4.PayloadClaim;
import io.penstock.gateway.tenant.Tenant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The state of one request, filled in by the stages in their order. Reading what a later stage
 * provides is a programming error and throws.
 *
 * <p>Threading: confined to one event loop.
 */
public final class Exchange {
  private final String requestId;
  private final RequestHead head;
  private final String remoteAddress;
  private final ClientBody body;
  private final ClientResponse response;
  private final Cancellation cancellation = new Cancellation();
  private final long startNanos;
  private @Nullable Tenant tenant;
  private @Nullable PayloadClaim payload;
  private @Nullable S3Request request;
  private BodyWindows.@Nullable Window window;
  private int status;
  private String errorCode = "";

  public Exchange(
      String requestId,
      RequestHead head,
      String remoteAddress,
      ClientBody body,
      ClientResponse response,
      long startNanos) {
    this.requestId = requestId;
    this.head = head;
    this.remoteAddress = remoteAddress;
    this.body = body;
    this.response = response;
    this.startNanos = startNanos;
  }

  /** Unique id of this request, sent as {@code x-penstock-request-id} and in every error. */
  public String requestId() {
    return requestId;
  }

  public RequestHead head() {
    return head;
  }

  public String remoteAddress() {
    return remoteAddress;
  }

  public ClientBody body() {
    return body;
  }

  public ClientResponse response() {
    return response;
  }

  /** Fires when the client has gone or the request was given up. */
  public Cancellation cancellation() {
    return cancellation;
  }

  /** {@link System#nanoTime} when the head was complete. */
  public long startNanos() {
    return startNanos;
  }

  /** Called by the authenticate stage. */
  public void authenticated(Tenant who, PayloadClaim claim) {
    tenant = who;
    payload = claim;
  }

  /** Called by the admit stage. */
  void admitted(BodyWindows.Window charged) {
    window = charged;
  }

  BodyWindows.Window window() {
    return provided(window, "window");
  }

  /** Called by the parse stage. */
  public void parsed(S3Request what) {
    request = what;
  }

  public Tenant tenant() {
    return provided(tenant, "tenant");
  }

  public PayloadClaim payload() {
    return provided(payload, "payload");
  }

  public S3Request request() {
    return provided(request, "request");
  }

  /** The tenant's name once known, for logs. */
  public Optional<String> tenantName() {
    return Optional.ofNullable(tenant).map(Tenant::name);
  }

  /** The S3 operation once known, for metrics and logs. */
  public Optional<String> operationName() {
    return Optional.ofNullable(request).map(r -> r.operation().name());
  }

  /** Notes what was answered, for metrics and logs. */
  public void answered(int statusCode, String s3ErrorCode) {
    status = statusCode;
    errorCode = s3ErrorCode;
  }

  /** The answered status, or 0 when the client left before an answer. */
  public int status() {
    return status;
  }

  /** The S3 error code of the gateway's own errors, else empty. */
  public String errorCode() {
    return errorCode;
  }

  private static <T> T provided(@Nullable T value, String name) {
    if (value == null) {
      throw new IllegalStateException(name + " is not known yet: stages ran in the wrong order");
    }
    return value;
  }
}
