package io.penstock.sink.client;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Trust in the certificates of a file, and in nothing else. */
public final class TrustedCertificates {
  private TrustedCertificates() {}

  /**
   * A context that trusts them.
   *
   * @param pem a file with one or more certificates
   * @throws IOException if it has none
   */
  public static SSLContext in(Path pem) throws IOException {
    try (InputStream bytes = Files.newInputStream(pem)) {
      KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
      trusted.load(null, null);
      for (Certificate certificate :
          CertificateFactory.getInstance("X.509").generateCertificates(bytes)) {
        trusted.setCertificateEntry("certificate " + trusted.size(), certificate);
      }
      if (trusted.size() == 0) {
        throw new IOException("the file holds no certificate");
      }
      TrustManagerFactory managers =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      managers.init(trusted);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, managers.getTrustManagers(), null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IOException("the file is not understood: " + e.getMessage(), e);
    }
  }
}
