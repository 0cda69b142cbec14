package io.penstock.gateway.clients;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import software.amazon.awssdk.services.s3.S3AsyncClient;

/** The clients, each with its own default settings. */
enum Judge {
  SDK_SYNC,
  SDK_ASYNC,
  SDK_CRT,
  MINIO_JAVA,
  AWS_CLI,
  NEWER_AWS_CLI,
  BOTO3,
  NEWER_BOTO3,
  S3CMD,
  RCLONE,
  S3FS,
  CURL,
  /** Over TLS only. */
  CURL_HTTP2,
  NODE;

  /** A name for buckets and folders. */
  String label() {
    return name().toLowerCase(java.util.Locale.ROOT).replace('_', '-');
  }

  /**
   * Opens the client; a missing one aborts the test with what to install, and fails it in CI.
   *
   * @param work a folder of its own for scratch files and logs
   */
  Client open(Endpoint endpoint, String bucket, Path work) {
    return switch (this) {
      case SDK_SYNC -> new SdkSyncClient(SdkSyncClient.s3(endpoint), bucket);
      case SDK_ASYNC ->
          new SdkAsyncClient(
              SdkAsyncClient.netty(endpoint, false), SdkAsyncClient.netty(endpoint, true), bucket);
      case SDK_CRT -> {
        S3AsyncClient s3 = SdkAsyncClient.crt(endpoint);
        yield new SdkAsyncClient(s3, s3, bucket);
      }
      case MINIO_JAVA -> new MinioJavaClient(endpoint, bucket);
      case AWS_CLI,
          NEWER_AWS_CLI,
          BOTO3,
          NEWER_BOTO3,
          S3CMD,
          RCLONE,
          S3FS,
          CURL,
          CURL_HTTP2,
          NODE ->
          ScriptedClient.start(script(), endpoint, bucket, work);
    };
  }

  private List<String> script() {
    return switch (this) {
      case AWS_CLI -> Script.debian("aws", "awscli", "awscli");
      case NEWER_AWS_CLI -> Script.newer("aws", "awscli");
      case BOTO3 -> Script.debian("boto", "boto3", "python3-boto3");
      case NEWER_BOTO3 -> Script.newer("boto", "boto3");
      case S3CMD -> Script.debian("s3cmd", "S3", "s3cmd");
      case RCLONE -> {
        Tools.program("rclone", "rclone");
        yield Script.python("rclone");
      }
      case S3FS -> {
        Tools.program("s3fs", "s3fs fuse");
        Tools.require(Files.exists(Path.of("/dev/fuse")), "s3fs needs /dev/fuse");
        yield Script.python("s3fs");
      }
      case CURL, CURL_HTTP2 -> {
        Tools.program("curl", "curl");
        yield Script.python("curl", this == CURL ? "--http1.1" : "--http2");
      }
      case NODE -> Script.node("client.mjs");
      case SDK_SYNC, SDK_ASYNC, SDK_CRT, MINIO_JAVA ->
          throw new IllegalStateException(this + " runs in this JVM");
    };
  }
}
