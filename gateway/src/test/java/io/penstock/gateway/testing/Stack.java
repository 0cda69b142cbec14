package io.penstock.gateway.testing;

import io.penstock.config.ConfigLoader;
import io.penstock.config.ConfigResult;
import io.penstock.config.GatewayConfig;
import io.penstock.gateway.app.GatewayAssembly;
import io.penstock.gateway.app.RunningGateway;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;

/**
 * A gateway for a test, in this JVM on free ports, in front of whatever store the test gives it.
 */
public final class Stack implements AutoCloseable {
  public static final String ACCESS_KEY = "demo";
  public static final String SECRET_KEY = "demo-secret";

  private final RunningGateway gateway;

  private Stack(RunningGateway gateway) {
    this.gateway = gateway;
  }

  /**
   * @param store the store's endpoint
   * @param more further YAML at the top level; sections given here replace the usual ones
   */
  public static Stack start(URI store, String storeAccessKey, String storeSecretKey, String more) {
    StringBuilder yaml = new StringBuilder();
    section(
        yaml,
        more,
        "listen",
        "listen: {s3: {port: 0, http2-clear-text: true}, admin: {port: 0}}\n");
    section(
        yaml,
        more,
        "upstream",
        "upstream: {endpoints: ['%s'], region: us-east-1, access-key: '%s', secret-key: '%s'}\n"
            .formatted(store, storeAccessKey, storeSecretKey));
    section(
        yaml,
        more,
        "tenants",
        "tenants: [{name: demo, access-key: %s, secret-key: %s}]\n"
            .formatted(ACCESS_KEY, SECRET_KEY));
    yaml.append(more);
    return new Stack(await(GatewayAssembly.start(config(yaml.toString()))));
  }

  private static void section(StringBuilder yaml, String more, String name, String usual) {
    if (!("\n" + more).contains("\n" + name + ":")) {
      yaml.append(usual);
    }
  }

  private static GatewayConfig config(String yaml) {
    return switch (new ConfigLoader(Map.of()).parse(yaml, Path.of("."))) {
      case ConfigResult.Loaded loaded -> loaded.config();
      case ConfigResult.Invalid invalid ->
          throw new IllegalArgumentException(invalid.problems() + "\n" + yaml);
    };
  }

  public static <T> T await(io.vertx.core.Future<T> future) {
    try {
      return future.toCompletionStage().toCompletableFuture().get(30, TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  public RunningGateway gateway() {
    return gateway;
  }

  public URI s3() {
    return gateway.s3();
  }

  /** A plain AWS SDK client of the gateway. */
  public S3Client client() {
    return client(gateway.s3(), ACCESS_KEY, SECRET_KEY);
  }

  public static S3Client client(URI endpoint, String accessKey, String secretKey) {
    return S3Client.builder()
        .endpointOverride(endpoint)
        .region(Region.US_EAST_1)
        .forcePathStyle(true)
        .httpClientBuilder(UrlConnectionHttpClient.builder())
        .credentialsProvider(
            StaticCredentialsProvider.create(AwsBasicCredentials.create(accessKey, secretKey)))
        .build();
  }

  @Override
  public void close() {
    await(gateway.close());
  }
}
