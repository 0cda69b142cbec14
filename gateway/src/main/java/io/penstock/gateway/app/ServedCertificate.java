package io.penstock.gateway.app;

import io.penstock.config.ListenConfig;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * When the certificate that clients are shown ends.
 *
 * <p>Threading: any thread.
 */
final class ServedCertificate {
  private static final Logger LOG = LoggerFactory.getLogger(ServedCertificate.class);

  private volatile Optional<Instant> ends = Optional.empty();

  ServedCertificate(ListenConfig.S3Listener listener) {
    read(listener);
  }

  /** The file's certificate is the one in use from now on. */
  void read(ListenConfig.S3Listener listener) {
    ends = listener.tls().flatMap(tls -> end(tls.certificate()));
  }

  Optional<Instant> ends() {
    return ends;
  }

  private static Optional<Instant> end(Path file) {
    try (InputStream in = Files.newInputStream(file)) {
      var read = CertificateFactory.getInstance("X.509").generateCertificate(in);
      return read instanceof X509Certificate certificate
          ? Optional.of(certificate.getNotAfter().toInstant())
          : Optional.empty();
    } catch (IOException | CertificateException e) {
      LOG.warn("cannot tell when the certificate in {} ends: {}", file, e.getMessage());
      return Optional.empty();
    }
  }
}
