package io.penstock.gateway.clients;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import software.amazon.awssdk.core.async.AsyncRequestBody;
import software.amazon.awssdk.core.async.AsyncResponseTransformer;
import software.amazon.awssdk.http.nio.netty.NettyNioAsyncHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.retries.DefaultRetryStrategy;
import software.amazon.awssdk.services.s3.S3AsyncClient;
import software.amazon.awssdk.services.s3.model.CommonPrefix;
import software.amazon.awssdk.services.s3.model.DeleteObjectsResponse;
import software.amazon.awssdk.services.s3.model.ObjectIdentifier;
import software.amazon.awssdk.services.s3.model.S3Object;

/**
 * AWS SDK for Java v2, asynchronous, with default checksum settings: over Netty or over the Common
 * Runtime. Both cut large uploads into parts by themselves.
 */
final class SdkAsyncClient implements Client {
  private final S3AsyncClient s3;
  private final S3AsyncClient parts;
  private final String bucket;

  /** {@code parts} is the client for uploads in parts; it may be the same. */
  SdkAsyncClient(S3AsyncClient s3, S3AsyncClient parts, String bucket) {
    this.s3 = s3;
    this.parts = parts;
    this.bucket = bucket;
  }

  static S3AsyncClient netty(Endpoint endpoint, boolean multipart) {
    NettyNioAsyncHttpClient.Builder http = NettyNioAsyncHttpClient.builder();
    endpoint.ca().ifPresent(ca -> http.tlsTrustManagersProvider(() -> Certificates.trust(ca)));
    return S3AsyncClient.builder()
        .endpointOverride(endpoint.uri())
        .region(Region.of(endpoint.region()))
        .credentialsProvider(SdkSyncClient.credentials(endpoint))
        .forcePathStyle(true)
        .multipartEnabled(multipart)
        .overrideConfiguration(c -> c.retryStrategy(DefaultRetryStrategy.doNotRetry()))
        .httpClientBuilder(http)
        .build();
  }

  static S3AsyncClient crt(Endpoint endpoint) {
    return S3AsyncClient.crtBuilder()
        .endpointOverride(endpoint.uri())
        .region(Region.of(endpoint.region()))
        .credentialsProvider(SdkSyncClient.credentials(endpoint))
        .forcePathStyle(true)
        .retryConfiguration(r -> r.numRetries(0))
        // there is no way to tell it of an authority
        .httpConfiguration(h -> h.trustAllCertificatesEnabled(endpoint.ca().isPresent()))
        .build();
  }

  private static <T> T done(CompletableFuture<T> future) {
    try {
      return future.get(60, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw new ClientFailure(e.getCause() == null ? e : e.getCause());
    } catch (TimeoutException e) {
      throw new ClientFailure(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void put(String key, Path body) {
    done(s3.putObject(r -> r.bucket(bucket).key(key), AsyncRequestBody.fromFile(body)));
  }

  @Override
  public void get(String key, Path into) {
    done(s3.getObject(r -> r.bucket(bucket).key(key), AsyncResponseTransformer.toFile(into)));
  }

  @Override
  public long head(String key) {
    return done(s3.headObject(r -> r.bucket(bucket).key(key))).contentLength();
  }

  @Override
  public Listing list(String prefix, String delimiter) {
    List<String> keys = new ArrayList<>();
    List<String> prefixes = new ArrayList<>();
    done(
        s3.listObjectsV2Paginator(
                r ->
                    r.bucket(bucket)
                        .prefix(prefix)
                        .delimiter(delimiter.isEmpty() ? null : delimiter)
                        .maxKeys(2))
            .subscribe(
                page -> {
                  page.contents().stream().map(S3Object::key).forEach(keys::add);
                  page.commonPrefixes().stream().map(CommonPrefix::prefix).forEach(prefixes::add);
                }));
    return new Listing(keys, prefixes);
  }

  @Override
  public void copy(String from, String to) {
    done(
        s3.copyObject(
            r ->
                r.sourceBucket(bucket)
                    .sourceKey(from)
                    .destinationBucket(bucket)
                    .destinationKey(to)));
  }

  @Override
  public void delete(String key) {
    done(s3.deleteObject(r -> r.bucket(bucket).key(key)));
  }

  @Override
  public void deleteAll(List<String> keys) {
    List<ObjectIdentifier> objects =
        keys.stream().map(key -> ObjectIdentifier.builder().key(key).build()).toList();
    DeleteObjectsResponse answer =
        done(s3.deleteObjects(r -> r.bucket(bucket).delete(d -> d.objects(objects))));
    if (answer.hasErrors()) {
      throw new ClientFailure(answer.errors().toString());
    }
  }

  @Override
  public void putInParts(String key, Path body) {
    done(parts.putObject(r -> r.bucket(bucket).key(key), AsyncRequestBody.fromFile(body)));
  }

  @Override
  public void getRange(String key, long first, long last, Path into) {
    done(
        s3.getObject(
            r -> r.bucket(bucket).key(key).range("bytes=" + first + "-" + last),
            AsyncResponseTransformer.toFile(into)));
  }

  @Override
  public void close() {
    s3.close();
    parts.close();
  }
}
