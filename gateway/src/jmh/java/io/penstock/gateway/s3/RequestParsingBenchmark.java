package io.penstock.gateway.s3;

import io.penstock.gateway.http.HttpFields;
import io.penstock.gateway.http.RequestHead;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** What it costs to understand one request and to choose the fields that go on. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
public class RequestParsingBenchmark {
  private final S3RequestParser parser = new S3RequestParser(List.of(), StoreKind.OTHER);
  private final RequestHead plain = head("/bucket/train/n01440764/n01440764_10026.JPEG");
  private final RequestHead encoded =
      head(
          "/bucket/train/%C3%A9t%C3%A9%20%2B1/a%26b.JPEG?versionId=3sL4kqtJlcpXroDTDmJ%2BrmSpXd3dIbrHY");
  private final S3Operation operation = parser.parse(plain).operation();

  private static RequestHead head(String target) {
    return new RequestHead(
        "GET",
        target,
        HttpFields.of(
            "host", "127.0.0.1:9000",
            "user-agent", "aws-sdk-java/2.57.8 md/io#async",
            "amz-sdk-invocation-id", "0f7a3e42-6f5c-4a55-9a3f-5f3a8c0f1d22",
            "amz-sdk-request", "attempt=1; max=4",
            "x-amz-checksum-mode", "ENABLED",
            "x-amz-date", "20261130T120000Z",
            "x-amz-content-sha256", "UNSIGNED-PAYLOAD",
            "authorization",
                "AWS4-HMAC-SHA256 Credential=demo/20261130/us-east-1/s3/aws4_request"));
  }

  @Benchmark
  public S3Request parse() {
    return parser.parse(plain);
  }

  @Benchmark
  public S3Request parseEncoded() {
    return parser.parse(encoded);
  }

  @Benchmark
  public HttpFields forwardedFields() {
    return ForwardedFields.request(plain, operation);
  }
}
