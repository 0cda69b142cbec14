package io.penstock.gateway.clients;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.core.sync.ResponseTransformer;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.retries.DefaultRetryStrategy;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.CommonPrefix;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.DeleteObjectsResponse;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;
import software.amazon.awssdk.services.s3.model.ObjectIdentifier;
import software.amazon.awssdk.services.s3.model.S3Object;

/**
 * AWS SDK for Java v2, synchronous, with default checksum settings: its uploads are aws-chunked
 * with a trailer.
 */
final class SdkSyncClient implements Client {
  private static final int PART = 8 << 20;

  private final S3Client s3;
  private final String bucket;

  SdkSyncClient(S3Client s3, String bucket) {
    this.s3 = s3;
    this.bucket = bucket;
  }

  static S3Client s3(Endpoint endpoint) {
    Apache5HttpClient.Builder http = Apache5HttpClient.builder();
    endpoint.ca().ifPresent(ca -> http.tlsTrustManagersProvider(() -> Certificates.trust(ca)));
    return S3Client.builder()
        .endpointOverride(endpoint.uri())
        .region(Region.of(endpoint.region()))
        .credentialsProvider(credentials(endpoint))
        .forcePathStyle(true)
        .overrideConfiguration(c -> c.retryStrategy(DefaultRetryStrategy.doNotRetry()))
        .httpClientBuilder(http)
        .build();
  }

  static StaticCredentialsProvider credentials(Endpoint endpoint) {
    return StaticCredentialsProvider.create(
        AwsBasicCredentials.create(endpoint.accessKey(), endpoint.secretKey()));
  }

  @Override
  public void put(String key, Path body) {
    s3.putObject(r -> r.bucket(bucket).key(key), body);
  }

  @Override
  public void get(String key, Path into) {
    s3.getObject(r -> r.bucket(bucket).key(key), ResponseTransformer.toFile(into));
  }

  @Override
  public long head(String key) {
    return s3.headObject(r -> r.bucket(bucket).key(key)).contentLength();
  }

  @Override
  public Listing list(String prefix, String delimiter) {
    List<String> keys = new ArrayList<>();
    List<String> prefixes = new ArrayList<>();
    for (ListObjectsV2Response page :
        s3.listObjectsV2Paginator(
            r ->
                r.bucket(bucket)
                    .prefix(prefix)
                    .delimiter(delimiter.isEmpty() ? null : delimiter)
                    .maxKeys(2))) {
      page.contents().stream().map(S3Object::key).forEach(keys::add);
      page.commonPrefixes().stream().map(CommonPrefix::prefix).forEach(prefixes::add);
    }
    return new Listing(keys, prefixes);
  }

  @Override
  public void copy(String from, String to) {
    s3.copyObject(
        r -> r.sourceBucket(bucket).sourceKey(from).destinationBucket(bucket).destinationKey(to));
  }

  @Override
  public void delete(String key) {
    s3.deleteObject(r -> r.bucket(bucket).key(key));
  }

  @Override
  public void deleteAll(List<String> keys) {
    List<ObjectIdentifier> objects =
        keys.stream().map(key -> ObjectIdentifier.builder().key(key).build()).toList();
    DeleteObjectsResponse answer =
        s3.deleteObjects(r -> r.bucket(bucket).delete(d -> d.objects(objects)));
    if (answer.hasErrors()) {
      throw new ClientFailure(answer.errors().toString());
    }
  }

  @Override
  public void putInParts(String key, Path body) {
    String upload = s3.createMultipartUpload(r -> r.bucket(bucket).key(key)).uploadId();
    List<CompletedPart> parts = new ArrayList<>();
    try (RandomAccessFile file = new RandomAccessFile(body.toFile(), "r")) {
      byte[] part = new byte[PART];
      for (int number = 1; file.getFilePointer() < file.length(); number++) {
        int length = file.read(part);
        parts.add(uploadPart(key, upload, number, java.util.Arrays.copyOf(part, length)));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    s3.completeMultipartUpload(
        r -> r.bucket(bucket).key(key).uploadId(upload).multipartUpload(m -> m.parts(parts)));
  }

  private CompletedPart uploadPart(String key, String upload, int number, byte[] bytes) {
    var answer =
        s3.uploadPart(
            r -> r.bucket(bucket).key(key).uploadId(upload).partNumber(number),
            RequestBody.fromBytes(bytes));
    return CompletedPart.builder()
        .partNumber(number)
        .eTag(answer.eTag())
        .checksumCRC32(answer.checksumCRC32())
        .build();
  }

  @Override
  public void getRange(String key, long first, long last, Path into) {
    s3.getObject(
        r -> r.bucket(bucket).key(key).range("bytes=" + first + "-" + last),
        ResponseTransformer.toFile(into));
  }

  @Override
  public void close() {
    s3.close();
  }
}
