package io.penstock.gateway.clients;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;
import software.amazon.awssdk.services.s3.model.NoSuchKeyException;
import software.amazon.awssdk.services.s3.model.S3Object;

/**
 * The other end: looks into a store directly, past the gateway and the client that is judged. Sends
 * no checksums and no chunked bodies, so every store understands it.
 *
 * <p>Threading: any thread.
 */
final class StoreReader implements AutoCloseable {
  private final S3Client store;

  StoreReader(Endpoint endpoint) {
    this.store =
        S3Client.builder()
            .endpointOverride(endpoint.uri())
            .region(Region.of(endpoint.region()))
            .credentialsProvider(
                StaticCredentialsProvider.create(
                    AwsBasicCredentials.create(endpoint.accessKey(), endpoint.secretKey())))
            .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
            .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED)
            .serviceConfiguration(c -> c.pathStyleAccessEnabled(true).chunkedEncodingEnabled(false))
            .httpClientBuilder(UrlConnectionHttpClient.builder())
            .build();
  }

  void createBucket(String bucket) {
    store.createBucket(r -> r.bucket(bucket));
  }

  /** The object's bytes, or nothing where there is no such object. */
  Optional<byte[]> read(String bucket, String key) {
    try {
      return Optional.of(store.getObjectAsBytes(r -> r.bucket(bucket).key(key)).asByteArray());
    } catch (NoSuchKeyException _) {
      return Optional.empty();
    }
  }

  HeadObjectResponse head(String bucket, String key) {
    return store.headObject(r -> r.bucket(bucket).key(key));
  }

  void write(String bucket, String key, Path body) {
    store.putObject(r -> r.bucket(bucket).key(key), RequestBody.fromFile(body));
  }

  void delete(String bucket, String key) {
    store.deleteObject(r -> r.bucket(bucket).key(key));
  }

  /** The keys under {@code prefix} as the store lists them. */
  List<String> keys(String bucket, String prefix) {
    return store.listObjectsV2Paginator(r -> r.bucket(bucket).prefix(prefix)).contents().stream()
        .map(S3Object::key)
        .toList();
  }

  @Override
  public void close() {
    store.close();
  }
}
