package io.penstock.gateway.clients;

import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;

/**
 * An S3 endpoint as a client sees it: a gateway, or a store asked directly.
 *
 * @param ca the certificate authority to trust for an https URI
 */
record Endpoint(URI uri, String accessKey, String secretKey, String region, Optional<Path> ca) {

  static Endpoint plain(URI uri, String accessKey, String secretKey) {
    return new Endpoint(uri, accessKey, secretKey, "us-east-1", Optional.empty());
  }
}
