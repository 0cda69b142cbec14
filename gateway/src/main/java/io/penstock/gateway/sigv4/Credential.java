package io.penstock.gateway.sigv4;

import io.penstock.config.Secret;
import java.util.Optional;

/** An access key with its secret, and the session token if it is temporary. */
public record Credential(String accessKey, Secret secretKey, Optional<Secret> sessionToken) {}
