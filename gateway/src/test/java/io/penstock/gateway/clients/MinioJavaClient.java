package io.penstock.gateway.clients;

import io.minio.CopyObjectArgs;
import io.minio.DownloadObjectArgs;
import io.minio.GetObjectArgs;
import io.minio.ListObjectsArgs;
import io.minio.MinioClient;
import io.minio.RemoveObjectArgs;
import io.minio.RemoveObjectsArgs;
import io.minio.Result;
import io.minio.SourceObject;
import io.minio.StatObjectArgs;
import io.minio.UploadObjectArgs;
import io.minio.errors.MinioException;
import io.minio.messages.DeleteRequest;
import io.minio.messages.DeleteResult;
import io.minio.messages.Item;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import okhttp3.OkHttpClient;

/** minio-java with its defaults. */
final class MinioJavaClient implements Client {
  private static final long PART = 8 << 20;

  private final MinioClient minio;
  private final String bucket;

  MinioJavaClient(Endpoint endpoint, String bucket) {
    MinioClient.Builder builder = MinioClient.builder();
    endpoint.ca().ifPresent(ca -> builder.httpClient(trusting(Certificates.trust(ca))));
    this.minio =
        builder
            .endpoint(endpoint.uri().toString())
            .credentials(endpoint.accessKey(), endpoint.secretKey())
            .region(endpoint.region())
            .build();
    this.bucket = bucket;
  }

  private static OkHttpClient trusting(TrustManager[] managers) {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, managers, null);
      return new OkHttpClient.Builder()
          .sslSocketFactory(context.getSocketFactory(), (X509TrustManager) managers[0])
          .build();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  @FunctionalInterface
  private interface Call<T> {
    T run() throws MinioException, IOException;
  }

  private static <T> T done(Call<T> call) {
    try {
      return call.run();
    } catch (MinioException | IOException | IllegalArgumentException e) {
      throw new ClientFailure(e);
    }
  }

  @Override
  public void put(String key, Path body) {
    done(
        () ->
            minio.uploadObject(
                UploadObjectArgs.builder()
                    .bucket(bucket)
                    .object(key)
                    .filename(body.toString())
                    .build()));
  }

  @Override
  public void get(String key, Path into) {
    done(
        () -> {
          minio.downloadObject(
              DownloadObjectArgs.builder()
                  .bucket(bucket)
                  .object(key)
                  .filename(into.toString())
                  .overwrite(true)
                  .build());
          return true;
        });
  }

  @Override
  public long head(String key) {
    return done(
        () -> minio.statObject(StatObjectArgs.builder().bucket(bucket).object(key).build()).size());
  }

  @Override
  public Listing list(String prefix, String delimiter) {
    List<String> keys = new ArrayList<>();
    List<String> prefixes = new ArrayList<>();
    for (Result<Item> result :
        minio.listObjects(
            ListObjectsArgs.builder()
                .bucket(bucket)
                .prefix(prefix)
                .delimiter(delimiter.isEmpty() ? null : delimiter)
                .recursive(delimiter.isEmpty())
                .maxKeys(2)
                .build())) {
      Item item = done(result::get);
      (item.isDir() ? prefixes : keys).add(item.objectName());
    }
    return new Listing(keys, prefixes);
  }

  @Override
  public void copy(String from, String to) {
    done(
        () ->
            minio.copyObject(
                CopyObjectArgs.builder()
                    .bucket(bucket)
                    .object(to)
                    .source(SourceObject.builder().bucket(bucket).object(from).build())
                    .build()));
  }

  @Override
  public void delete(String key) {
    done(
        () -> {
          minio.removeObject(RemoveObjectArgs.builder().bucket(bucket).object(key).build());
          return true;
        });
  }

  @Override
  public void deleteAll(List<String> keys) {
    List<DeleteRequest.Object> objects = keys.stream().map(DeleteRequest.Object::new).toList();
    for (Result<DeleteResult.Error> error :
        minio.removeObjects(RemoveObjectsArgs.builder().bucket(bucket).objects(objects).build())) {
      throw new ClientFailure(done(error::get).toString());
    }
  }

  @Override
  public void putInParts(String key, Path body) {
    done(
        () ->
            minio.uploadObject(
                UploadObjectArgs.builder()
                    .bucket(bucket)
                    .object(key)
                    .filename(body.toString(), PART)
                    .build()));
  }

  @Override
  public void getRange(String key, long first, long last, Path into) {
    GetObjectArgs range =
        GetObjectArgs.builder()
            .bucket(bucket)
            .object(key)
            .offset(first)
            .length(last - first + 1)
            .build();
    done(
        () -> {
          try (var body = minio.getObject(range)) {
            return Files.copy(body, into);
          }
        });
  }

  @Override
  public void close() {
    done(
        () -> {
          try {
            minio.close();
          } catch (Exception e) {
            throw new IOException(e);
          }
          return true;
        });
  }
}
