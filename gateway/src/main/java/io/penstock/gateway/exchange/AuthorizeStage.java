package io.penstock.gateway.exchange;

import io.penstock.gateway.s3.AccessNeed;
import io.penstock.gateway.s3.S3Error;
import io.penstock.gateway.s3.S3Exception;
import io.penstock.gateway.tenant.AccessDecision;
import java.util.List;

/**
 * May they? Asks the tenant's policy for everything the operation touches, the source of a copy
 * included.
 */
public final class AuthorizeStage implements Stage {

  @Override
  public void apply(Exchange exchange) {
    var request = exchange.request();
    if (exchange.tenant().config().anonymous() && request.overridesResponse()) {
      throw new S3Exception(
          S3Error.INVALID_REQUEST,
          "Request specific response headers cannot be used for anonymous requests; sign it.");
    }
    require(exchange, request.operation().needs(request.target()));
  }

  /** For needs that only the body shows: each key of a multi-delete. */
  public static void require(Exchange exchange, List<AccessNeed> needs) {
    if (exchange.tenant().policy().decide(needs) instanceof AccessDecision.Denied(var reason)) {
      throw new S3Exception(S3Error.ACCESS_DENIED, reason);
    }
  }
}
