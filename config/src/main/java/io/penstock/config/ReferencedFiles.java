package io.penstock.config;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/**
 * The files a configuration names: secrets, certificates, keys. Relative names start at the
 * directory of the configuration file. Remembers every name, also of files that are missing, so
 * that the watcher sees them appear.
 *
 * <p>Threading: one instance reads one configuration.
 */
final class ReferencedFiles {
  private static final int MAX_BYTES = 1 << 20;

  private final Path directory;
  private final Set<Path> seen = new LinkedHashSet<>();

  ReferencedFiles(Path directory) {
    this.directory = directory;
  }

  /** The text of a file, or why there is none. */
  sealed interface Content {
    record Text(String text) implements Content {}

    record Unreadable(String why) implements Content {}
  }

  Set<Path> seen() {
    return Set.copyOf(seen);
  }

  /** The file this text names; empty when it cannot be a name. */
  Optional<Path> resolve(String name) {
    try {
      Path file = directory.resolve(name).normalize();
      seen.add(file);
      return Optional.of(file);
    } catch (InvalidPathException e) {
      return Optional.empty();
    }
  }

  /** Reads a whole file as UTF-8. */
  Content read(Path file) {
    if (Files.isDirectory(file)) {
      return new Content.Unreadable("it is a directory");
    }
    try (InputStream in = Files.newInputStream(file)) {
      byte[] bytes = in.readNBytes(MAX_BYTES + 1);
      if (bytes.length > MAX_BYTES) {
        return new Content.Unreadable("it is larger than 1 MiB");
      }
      return new Content.Text(
          StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString());
    } catch (NoSuchFileException e) {
      return new Content.Unreadable(
          "there is no such file (relative names start at the configuration file's directory)");
    } catch (AccessDeniedException e) {
      return new Content.Unreadable("this user may not read it");
    } catch (CharacterCodingException e) {
      return new Content.Unreadable("it is not UTF-8 text");
    } catch (IOException e) {
      return new Content.Unreadable("reading it failed: " + e.getClass().getSimpleName());
    }
  }

  /** Why the file does not hold this kind of PEM; empty when it does. */
  Optional<String> mistake(Path file, Key.Pem expected) {
    return switch (read(file)) {
      case Content.Unreadable unreadable ->
          Optional.of("names a file that cannot be used: " + unreadable.why());
      case Content.Text pem ->
          switch (expected) {
            case CERTIFICATES -> certificateMistake(pem.text());
            case PRIVATE_KEY -> keyMistake(pem.text());
            case NONE -> Optional.empty();
          };
    };
  }

  private static Optional<String> certificateMistake(String pem) {
    if (!pem.contains("-----BEGIN CERTIFICATE-----")) {
      return Optional.of(
          pem.contains("PRIVATE KEY-----")
              ? "names a file with a private key; a certificate is expected here"
              : "names a file without a certificate in PEM form");
    }
    try {
      CertificateFactory.getInstance("X.509")
          .generateCertificates(new ByteArrayInputStream(pem.getBytes(StandardCharsets.US_ASCII)));
      return Optional.empty();
    } catch (CertificateException e) {
      return Optional.of("names a file whose certificates cannot be read; write it again");
    }
  }

  private static Optional<String> keyMistake(String pem) {
    if (pem.contains("-----BEGIN ENCRYPTED PRIVATE KEY-----")) {
      return Optional.of("names a file with an encrypted key; a key without a password is needed");
    }
    if (pem.contains("PRIVATE KEY-----")) {
      return Optional.empty();
    }
    return Optional.of(
        pem.contains("-----BEGIN CERTIFICATE-----")
            ? "names a file with a certificate; a private key is expected here"
            : "names a file without a private key in PEM form");
  }
}
