package io.penstock.gateway.exchange;

import io.penstock.config.Secret;
import io.penstock.config.TenantConfig;
import io.penstock.config.TenantConfig.PolicyConfig;
import io.penstock.gateway.s3.S3Error;
import io.penstock.gateway.s3.S3Exception;
import io.penstock.gateway.sigv4.Authentication;
import io.penstock.gateway.sigv4.SigV4Verifier;
import io.penstock.gateway.tenant.Tenant;
import io.penstock.gateway.tenant.TenantDirectory;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Who sent this? Looks at the raw head only; nothing has been decoded yet. */
public final class AuthenticateStage implements Stage {
  /** Browsers never sign a preflight; it needs no permission and gets none. */
  private static final Tenant NOBODY =
      new Tenant(
          new TenantConfig(
              "nobody", "", new Secret(""), true, Optional.of(new PolicyConfig(List.of()))));

  private final SigV4Verifier verifier;
  private final Supplier<TenantDirectory> directory;

  public AuthenticateStage(SigV4Verifier verifier, Supplier<TenantDirectory> directory) {
    this.verifier = verifier;
    this.directory = directory;
  }

  @Override
  public void apply(Exchange exchange) {
    switch (verifier.verify(exchange.head())) {
      case Authentication.Verified(var accessKey, var payload) ->
          exchange.authenticated(
              directory
                  .get()
                  .byAccessKey(accessKey)
                  .orElseThrow(
                      () ->
                          new S3Exception(
                              S3Error.INVALID_ACCESS_KEY_ID, "The access key was removed.")),
              payload);
      case Authentication.Anonymous(var payload) ->
          exchange.authenticated(
              exchange.head().method().equals("OPTIONS") ? NOBODY : anonymous(), payload);
      case Authentication.Refused(var error, var message) -> throw new S3Exception(error, message);
    }
  }

  private Tenant anonymous() {
    return directory
        .get()
        .anonymous()
        .orElseThrow(
            () ->
                new S3Exception(
                    S3Error.ACCESS_DENIED,
                    "Anonymous access is not configured here: sign the request with an access key of this gateway."));
  }
}
