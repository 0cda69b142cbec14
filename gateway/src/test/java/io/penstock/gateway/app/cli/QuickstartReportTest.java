package io.penstock.gateway.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.gateway.app.cli.QuickstartReport.Measured;
import io.penstock.gateway.app.cli.QuickstartReport.Row;
import io.penstock.gateway.app.cli.RoundTrip.Times;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class QuickstartReportTest {
  private static final List<Photograph> PHOTOGRAPHS =
      List.of(
          new Photograph("a.jpg", new byte[600_000]), new Photograph("b.jpg", new byte[400_000]));

  private final QuickstartReport report =
      new QuickstartReport(
          new Measured(
              List.of(
                  new Row(
                      Shipment.photographs(PHOTOGRAPHS, 2_000),
                      new Times(
                          Duration.ofSeconds(10),
                          Duration.ofSeconds(4),
                          Duration.ofNanos(1_234_567))),
                  new Row(
                      Shipment.shards(PHOTOGRAPHS, 1, 2_500_000),
                      new Times(
                          Duration.ofMillis(50), Duration.ofMillis(25), Duration.ofMillis(2)))),
              new BatchTrip.Result(
                  "index Int, tensor FixedSizeList",
                  32,
                  2_000,
                  301_056_000,
                  Duration.ofMillis(2_500))),
          URI.create("http://127.0.0.1:9000"),
          URI.create("http://127.0.0.1:9001"),
          URI.create("http://127.0.0.1:8333"),
          "in memory",
          new RuntimeSummary("io_uring", 2));

  @Test
  void theTableHasOneRowAShipmentInAlignedColumns() {
    assertThat(report.text("bucket", true))
        .contains(
            """
                              objects       bytes     upload       read   first byte p50
              -------------   -------   ---------   --------   --------   --------------
              photographs       2,000   1000.0 MB   100 MB/s   250 MB/s          1.23 ms
              large objects         1      2.5 MB    50 MB/s   100 MB/s          2.00 ms
            """
                .indent(0));
  }

  @Test
  void saysWhatOneRequestBrought() {
    assertThat(report.text("bucket", true))
        .contains(
            "  one request   batches    rows    tensors     time   rows/s\n",
            "  photographs        32   2,000   301.1 MB   2.50 s      800\n",
            "224 x 224 pixels",
            "index Int, tensor FixedSizeList");
  }

  @Test
  void saysWhatToTypeNext() {
    assertThat(report.text("bucket", true))
        .contains(
            "export AWS_ENDPOINT_URL=http://127.0.0.1:9000 AWS_REGION=us-east-1\n",
            "export AWS_ACCESS_KEY_ID=demo AWS_SECRET_ACCESS_KEY=demo-secret\n",
            "s3 ls s3://bucket/photographs/0000/\n",
            "http://127.0.0.1:9001/metrics\n",
            "transport   io_uring, 2 event loops\n")
        .doesNotContain("It ends now");
    assertThat(report.text("bucket", false)).contains("It ends now");
  }

  @Test
  void aShardIsThePhotographsOneAfterTheOther() {
    byte[] body =
        Shipment.shards(
                List.of(
                    new Photograph("a", new byte[] {1, 2}), new Photograph("b", new byte[] {3})),
                1,
                7)
            .parcels()
            .getFirst()
            .body();
    assertThat(body).containsExactly(1, 2, 3, 1, 2, 3, 1);
  }

  @Test
  void everyPhotographHasAKeyOfItsOwn() {
    var keys = Shipment.photographs(PHOTOGRAPHS, 5).parcels().stream().map(Shipment.Parcel::key);
    assertThat(keys)
        .containsExactly(
            "photographs/0000/a.jpg",
            "photographs/0000/b.jpg",
            "photographs/0001/a.jpg",
            "photographs/0001/b.jpg",
            "photographs/0002/a.jpg");
  }
}
