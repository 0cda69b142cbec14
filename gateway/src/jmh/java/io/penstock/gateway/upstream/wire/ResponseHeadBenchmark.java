package io.penstock.gateway.upstream.wire;

import java.nio.charset.StandardCharsets;
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

/** What it costs to read the head of a store's answer. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
public class ResponseHeadBenchmark {
  private final byte[] head =
      """
      HTTP/1.1 200 OK
      x-amz-id-2: ef8yU9AS1ed4OpIszj7UDNEHGran
      x-amz-request-id: 318BC8BC143432E5
      Date: Mon, 30 Nov 2026 12:00:00 GMT
      Last-Modified: Fri, 01 May 2026 10:00:00 GMT
      ETag: "fba9dede5f27731c9771645a39863328"
      Accept-Ranges: bytes
      Content-Type: image/jpeg
      Content-Length: 133120
      Server: AmazonS3

      """
          .replace("\n", "\r\n")
          .getBytes(StandardCharsets.ISO_8859_1);

  @Benchmark
  public Object parse() throws BadResponse {
    return ResponseHeads.parse(head, head.length);
  }
}
