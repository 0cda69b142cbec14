package io.penstock.gateway.app.cli;

import io.penstock.config.Secret;
import java.net.URI;
import java.time.Duration;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;

/** An S3 client as anybody would build it: nothing in it knows of Penstock but the endpoint. */
final class QuickstartClient {
  static final Region REGION = Region.US_EAST_1;

  private QuickstartClient() {}

  static S3Client connect(URI endpoint, String accessKey, Secret secretKey) {
    return S3Client.builder()
        .endpointOverride(endpoint)
        .region(REGION)
        .forcePathStyle(true)
        .credentialsProvider(
            StaticCredentialsProvider.create(
                AwsBasicCredentials.create(accessKey, secretKey.reveal())))
        .httpClientBuilder(
            UrlConnectionHttpClient.builder()
                .connectionTimeout(Duration.ofSeconds(5))
                .socketTimeout(Duration.ofSeconds(30)))
        .build();
  }
}
