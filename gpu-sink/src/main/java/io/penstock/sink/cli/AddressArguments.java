package io.penstock.sink.cli;

import io.penstock.sink.client.ClientOptions;
import io.penstock.sink.client.GatewayAddress;
import io.penstock.sink.client.TrustedCertificates;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where the gateway is: the AWS variables, and options that go before them. */
final class AddressArguments {
  @Option(
      names = "--endpoint",
      paramLabel = "URL",
      description = "The gateway's S3 port (default: AWS_ENDPOINT_URL).")
  private @Nullable String endpoint;

  @Option(
      names = "--access-key",
      paramLabel = "KEY",
      description =
          "The access key (default: AWS_ACCESS_KEY_ID); the secret comes from"
              + " AWS_SECRET_ACCESS_KEY.")
  private @Nullable String accessKey;

  @Option(
      names = "--region",
      paramLabel = "NAME",
      description = "The region (default: AWS_REGION).")
  private @Nullable String region;

  @Option(
      names = "--ca",
      paramLabel = "FILE",
      description = "Certificates to trust, as PEM (default: AWS_CA_BUNDLE, or the JVM's).")
  private @Nullable Path authority;

  GatewayAddress address(Map<String, String> environment) {
    Map<String, String> words = new HashMap<>(environment);
    put(words, "AWS_ENDPOINT_URL_S3", endpoint);
    put(words, "AWS_ACCESS_KEY_ID", accessKey);
    put(words, "AWS_REGION", region);
    try {
      return GatewayAddress.of(words);
    } catch (IllegalArgumentException e) {
      throw new WrongUse(e.getMessage() + "; see --endpoint and --access-key");
    }
  }

  ClientOptions options(Map<String, String> environment) {
    String bundle = environment.getOrDefault("AWS_CA_BUNDLE", "");
    Path file = authority != null || bundle.isEmpty() ? authority : Path.of(bundle);
    if (file == null) {
      return ClientOptions.DEFAULT;
    }
    try {
      return ClientOptions.DEFAULT.with(TrustedCertificates.in(file));
    } catch (IOException e) {
      throw new WrongUse("no certificates in " + file + ": " + e.getMessage());
    }
  }

  private static void put(Map<String, String> words, String name, @Nullable String value) {
    if (value != null) {
      words.put(name, value);
    }
  }
}
