package io.penstock.gateway.app.cli;

import io.penstock.gateway.app.cli.RoundTrip.Times;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/**
 * What the quick start prints: what was measured, where everything listens, and what to type next.
 *
 * @param place where the store keeps its objects, in words
 */
record QuickstartReport(
    Measured measured, URI gateway, URI admin, URI store, String place, RuntimeSummary runtime) {

  /** One shipment and what it took. */
  record Row(Shipment shipment, Times times) {}

  /** What went through the gateway object by object, and what came in one request. */
  record Measured(List<Row> rows, BatchTrip.Result batch) {
    Measured {
      rows = List.copyOf(rows);
    }
  }

  /**
   * @param staysUp whether the addresses are still good after this
   */
  String text(String bucket, boolean staysUp) {
    int objects = measured.rows().stream().mapToInt(row -> row.shipment().objects()).sum();
    return """

        %s
          Every byte of %,d objects came back as it was sent.

        %s
          The gateway decoded them to %d x %d pixels. Each row: %s

          gateway     %s
          metrics     %s/metrics
          store       %s (%s)
          transport   %s

          %s

            export AWS_ENDPOINT_URL=%s AWS_REGION=%s
            export AWS_ACCESS_KEY_ID=%s AWS_SECRET_ACCESS_KEY=%s
            aws --endpoint-url $AWS_ENDPOINT_URL s3 ls s3://%s/photographs/0000/

        """
        .formatted(
            table(),
            objects,
            batchTable(),
            BatchTrip.SIDE,
            BatchTrip.SIDE,
            measured.batch().schema(),
            gateway,
            admin,
            store,
            place,
            runtime,
            staysUp
                ? "In another terminal, with any S3 client:"
                : "It ends now; without --once it stays up, and any S3 client can use it:",
            gateway,
            QuickstartClient.REGION,
            QuickstartConfig.ACCESS_KEY,
            QuickstartConfig.SECRET_KEY,
            bucket);
  }

  private String table() {
    var table = new TextTable().row("", "objects", "bytes", "upload", "read", "first byte p50");
    for (Row row : measured.rows()) {
      long bytes = row.shipment().bytes();
      table.row(
          row.shipment().title(),
          String.format(Locale.ROOT, "%,d", row.shipment().objects()),
          String.format(Locale.ROOT, "%.1f MB", bytes / 1e6),
          rate(bytes, row.times().upload()),
          rate(bytes, row.times().read()),
          String.format(Locale.ROOT, "%.2f ms", row.times().firstByte().toNanos() / 1e6));
    }
    return table.format();
  }

  private String batchTable() {
    BatchTrip.Result batch = measured.batch();
    double seconds = batch.time().toNanos() / 1e9;
    return new TextTable()
        .row("one request", "batches", "rows", "tensors", "time", "rows/s")
        .row(
            "photographs",
            Integer.toString(batch.batches()),
            String.format(Locale.ROOT, "%,d", batch.rows()),
            String.format(Locale.ROOT, "%.1f MB", batch.bytes() / 1e6),
            String.format(Locale.ROOT, "%.2f s", seconds),
            String.format(Locale.ROOT, "%,.0f", batch.rows() / seconds))
        .format();
  }

  private static String rate(long bytes, Duration time) {
    return String.format(Locale.ROOT, "%.0f MB/s", bytes / 1e6 / (time.toNanos() / 1e9));
  }
}
