package io.penstock.config;

import static io.penstock.config.Samples.CERTIFICATE;
import static io.penstock.config.Samples.PRIVATE_KEY;
import static io.penstock.config.Samples.VALID;
import static io.penstock.config.Samples.lines;
import static io.penstock.config.Samples.loaded;
import static io.penstock.config.Samples.write;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReferencedFilesTest {
  @TempDir Path directory;

  private ConfigResult load(String yaml) {
    return new ConfigLoader(Map.of()).load(write(directory.resolve("gateway.yaml"), yaml));
  }

  @Test
  void secretsComeFromFilesWithoutTheLineBreakAtTheirEnd() {
    write(directory.resolve("key"), "AK\n");
    write(directory.resolve("secret"), "s p a c e \r\n");
    write(directory.resolve("token"), "T");
    String yaml =
        VALID
            .replace("access-key: store\n", "access-key-file: key\n")
            .replace(
                "secret-key: store-secret",
                "secret-key-file: "
                    + directory.resolve("secret")
                    + "\n  session-token-file: token");
    UpstreamConfig upstream = loaded(load(yaml)).upstream();
    assertThat(upstream.accessKey()).isEqualTo("AK");
    assertThat(upstream.secretKey().reveal()).isEqualTo("s p a c e ");
    assertThat(upstream.sessionToken()).contains(new Secret("T"));
  }

  @Test
  void theValueOfAFileIsCheckedAndNotShown() {
    write(directory.resolve("key"), "hunter 2\n");
    write(directory.resolve("secret"), "two\nlines\n");
    String yaml =
        VALID
            .replace("access-key: store\n", "access-key-file: key\n")
            .replace("secret-key: store-secret", "secret-key-file: secret");
    assertThat(lines(load(yaml)))
        .containsExactly(
            "6: upstream.access-key-file: must be 1 to 128 visible ASCII characters without '/',"
                + " ',' or '='",
            "7: upstream.secret-key-file: holds a line break or another control character; remove"
                + " it");
  }

  @Test
  void filesThatCannotBeUsed() throws IOException {
    write(directory.resolve("empty"), "\n");
    Files.write(directory.resolve("binary"), new byte[] {(byte) 0xFF});
    Files.write(directory.resolve("large"), new byte[(1 << 20) + 1]);
    String file = "7: upstream.secret-key-file: ";
    String unusable = file + "names a file that cannot be used: ";
    secretFile(
        "nope",
        unusable
            + "there is no such file (relative names start at the configuration file's directory)");
    secretFile(".", unusable + "it is a directory");
    secretFile("empty", file + "names a file that is empty");
    secretFile("binary", unusable + "it is not UTF-8 text");
    secretFile("large", unusable + "it is larger than 1 MiB");
    secretFile("\"a\\0b\"", file + "must be the name of a file");
    secretFile("[a]", file + "must be a single value, not a list or a section");
  }

  private void secretFile(String name, String expected) {
    String yaml = VALID.replace("secret-key: store-secret", "secret-key-file: " + name);
    assertThat(lines(load(yaml))).containsExactly(expected);
  }

  @Test
  void aValueAndAFileExcludeEachOther() {
    write(directory.resolve("secret"), "x");
    String yaml =
        VALID.replace("  secret-key: store", "  secret-key-file: secret\n  secret-key: store");
    assertThat(lines(load(yaml)))
        .containsExactly(
            "7: upstream.secret-key-file: cannot stand beside secret-key; remove one of them");
  }

  @Test
  void certificatesAndKeysAreLookedAt() {
    write(directory.resolve("tls.crt"), CERTIFICATE);
    write(directory.resolve("tls.key"), PRIVATE_KEY);
    ListenConfig.TlsConfig tls =
        loaded(load(tls("{certificate: tls.crt, key: tls.key, client-ca: tls.crt}")))
            .listen()
            .s3()
            .tls()
            .orElseThrow();
    assertThat(tls.certificate()).isEqualTo(directory.resolve("tls.crt"));
    assertThat(tls.clientCa()).contains(directory.resolve("tls.crt"));
    assertThat(tls.engine()).isEqualTo(ListenConfig.TlsConfig.Engine.AUTO);
    assertThat(tls.protocols()).containsExactly("TLSv1.2", "TLSv1.3");
  }

  @Test
  void mistakesInCertificatesAndKeys() {
    write(directory.resolve("tls.crt"), CERTIFICATE);
    write(directory.resolve("tls.key"), PRIVATE_KEY);
    write(directory.resolve("bad.crt"), CERTIFICATE.replaceFirst("MII", "AAA"));
    write(
        directory.resolve("locked.key"),
        "-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----\n");
    String at = "2: listen.s3.tls.";
    assertThat(lines(load(tls("{certificate: tls.key, key: tls.crt}"))))
        .containsExactly(
            at + "certificate: names a file with a private key; a certificate is expected here",
            at + "key: names a file with a certificate; a private key is expected here");
    assertThat(lines(load(tls("{certificate: bad.crt, key: locked.key}"))))
        .containsExactly(
            at + "certificate: names a file whose certificates cannot be read; write it again",
            at + "key: names a file with an encrypted key; a key without a password is needed");
    assertThat(
            lines(load(tls("{certificate: gateway.yaml, key: gateway.yaml, protocols: [SSLv3]}"))))
        .containsExactly(
            at + "certificate: names a file without a certificate in PEM form",
            at + "key: names a file without a private key in PEM form",
            at + "protocols[0]: must be TLSv1.2 or TLSv1.3");
    assertThat(lines(load(tls("{key: nope}"))))
        .containsExactly(
            at + "certificate: is missing; write certificate",
            at
                + "key: names a file that cannot be used: there is no such file (relative names"
                + " start at the configuration file's directory)");
  }

  private static String tls(String section) {
    return VALID.replace("port: 0}\n  admin", "port: 0, tls: " + section + "}\n  admin");
  }
}
