package io.penstock.gateway.clients;

import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;

/**
 * PEM files of an authority made for one test and of a server certificate it issued.
 *
 * @param authority what clients trust
 */
record Certificates(Path authority, Path certificate, Path key) {

  static Certificates write(Path folder, String... names) {
    try {
      X509Bundle root =
          new CertificateBuilder()
              .subject("CN=Test authority")
              .setIsCertificateAuthority(true)
              .buildSelfSigned();
      CertificateBuilder server = new CertificateBuilder().subject("CN=gateway");
      server.addSanIpAddress("127.0.0.1");
      for (String name : names) {
        server.addSanDnsName(name);
      }
      X509Bundle leaf = server.buildIssuedBy(root);
      return new Certificates(
          Files.writeString(folder.resolve("ca.pem"), root.getRootCertificatePEM()),
          Files.writeString(folder.resolve("tls.crt"), leaf.getCertificatePathPEM()),
          Files.writeString(folder.resolve("tls.key"), leaf.getPrivateKeyPEM()));
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  /** The {@code tls} section of a listener. */
  String yaml() {
    return "{certificate: '%s', key: '%s'}".formatted(certificate, key);
  }

  /** Trust in the authority and in nothing else. */
  static TrustManager[] trust(Path authority) {
    try (InputStream pem = Files.newInputStream(authority)) {
      KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
      trusted.load(null, null);
      trusted.setCertificateEntry(
          "authority", CertificateFactory.getInstance("X.509").generateCertificate(pem));
      TrustManagerFactory managers =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      managers.init(trusted);
      return managers.getTrustManagers();
    } catch (IOException | GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }
}
