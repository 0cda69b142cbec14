package io.penstock.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Configurations and files the tests start from. */
final class Samples {
  /** A file with every required key and no mistake; line 1 is {@code listen:}. */
  static final String VALID =
      """
      listen:
        s3: {host: 127.0.0.1, port: 0}
        admin: {host: 127.0.0.1, port: 0}
      upstream:
        endpoints: [http://127.0.0.1:8333]
        access-key: store
        secret-key: store-secret
      tenants:
        - {name: demo, access-key: demo, secret-key: demo-secret}
      """;

  static final String CERTIFICATE = resource("/tls/test.crt");

  // the loader looks at the frame only; no key is needed
  static final String PRIVATE_KEY =
      "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n";

  private Samples() {}

  static GatewayConfig valid() {
    return loaded(parse(VALID));
  }

  static ConfigResult parse(String yaml) {
    return parse(yaml, Map.of());
  }

  static ConfigResult parse(String yaml, Map<String, String> environment) {
    return new ConfigLoader(environment).parse(yaml, Path.of("."));
  }

  static GatewayConfig loaded(ConfigResult result) {
    assertThat(result).isInstanceOf(ConfigResult.Loaded.class);
    return ((ConfigResult.Loaded) result).config();
  }

  static List<Problem> problems(ConfigResult result) {
    assertThat(result).isInstanceOf(ConfigResult.Invalid.class);
    return ((ConfigResult.Invalid) result).problems();
  }

  /** The problems as {@code LINE: path: message}. */
  static List<String> lines(ConfigResult result) {
    return problems(result).stream().map(it -> it.describe(Path.of("F")).substring(2)).toList();
  }

  static Path write(Path file, String text) {
    try {
      return Files.writeString(file, text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String resource(String name) {
    try (var in = Samples.class.getResourceAsStream(name)) {
      return new String(in.readAllBytes(), StandardCharsets.US_ASCII);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
