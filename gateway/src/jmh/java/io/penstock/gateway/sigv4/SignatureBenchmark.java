package io.penstock.gateway.sigv4;

import io.penstock.config.Secret;
import io.penstock.gateway.http.HttpFields;
import io.penstock.gateway.http.RequestHead;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
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

/** What both signatures of one small GET cost: checking the client's, making the store's. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
public class SignatureBenchmark {
  private static final Instant NOW = Instant.parse("2026-11-30T12:00:00Z");
  private static final Credential KEY =
      new Credential("demo", new Secret("demo-secret"), Optional.empty());
  private static final HttpFields FIELDS =
      HttpFields.of(
          "user-agent", "aws-sdk-java/2.57.8 md/io#async",
          "amz-sdk-invocation-id", "0f7a3e42-6f5c-4a55-9a3f-5f3a8c0f1d22",
          "amz-sdk-request", "attempt=1; max=4",
          "x-amz-checksum-mode", "ENABLED");

  private final SigV4Signer signer =
      new SigV4Signer(() -> KEY, "us-east-1", InstantSource.fixed(NOW));
  private final SigV4Verifier verifier =
      new SigV4Verifier(
          key -> key.equals("demo") ? Optional.of(KEY) : Optional.empty(),
          InstantSource.fixed(NOW),
          Optional.empty(),
          new SignedHosts(Optional.empty(), List.of()));
  private final RequestHead signed =
      new RequestHead("GET", "/bucket/train/n01440764/n01440764_10026.JPEG", sign());

  @Benchmark
  public HttpFields sign() {
    return signer.sign(
        "GET",
        "127.0.0.1:9000",
        "/bucket/train/n01440764/n01440764_10026.JPEG",
        "",
        FIELDS,
        Sha256.EMPTY_HEX);
  }

  @Benchmark
  public Authentication verify() {
    return verifier.verify(signed);
  }
}
