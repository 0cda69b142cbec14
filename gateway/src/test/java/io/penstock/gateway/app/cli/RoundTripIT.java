package io.penstock.gateway.app.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.gateway.embedded.EmbeddedStore;
import io.penstock.gateway.embedded.StoreOptions;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;

class RoundTripIT {
  private final StringWriter progress = new StringWriter();
  private EmbeddedStore store;
  private S3Client s3;

  @BeforeEach
  void start() {
    store = EmbeddedStore.start(StoreOptions.inMemory("demo", "demo-secret"));
    s3 = QuickstartClient.connect(store.endpoint(), "demo", store.secretKey());
    s3.createBucket(b -> b.bucket("bucket"));
  }

  @AfterEach
  void stop() {
    s3.close();
    store.close();
  }

  @Test
  void storesAndReadsEveryObject() throws Exception {
    var shipment = Shipment.photographs(photographs(), 7);
    var times =
        new RoundTrip(s3, "bucket", 3)
            .run(shipment, new ProgressLine(new PrintWriter(progress), false));
    assertThat(s3.listObjectsV2(b -> b.bucket("bucket")).contents()).hasSize(7);
    assertThat(times.firstByte()).isPositive();
    assertThat(progress.toString().lines())
        .containsExactly("uploading photographs", "reading photographs");
  }

  @Test
  void aChangedByteEndsTheRun() {
    var trip = new RoundTrip(s3, "bucket", 1);
    var parcel = new Shipment.Parcel("key", new byte[] {1, 2, 3});
    s3.putObject(b -> b.bucket("bucket").key("key"), RequestBody.fromBytes(new byte[] {1, 2, 4}));
    assertThatThrownBy(() -> trip.readBack(parcel)).hasMessageContaining("key came back different");
  }

  @Test
  void aMissingOrAnExtraByteEndsTheRun() {
    var trip = new RoundTrip(s3, "bucket", 1);
    s3.putObject(b -> b.bucket("bucket").key("key"), RequestBody.fromBytes(new byte[] {1, 2}));
    for (byte[] sent : List.of(new byte[] {1}, new byte[] {1, 2, 3})) {
      var parcel = new Shipment.Parcel("key", sent);
      assertThatThrownBy(() -> trip.readBack(parcel)).hasMessageContaining("came back different");
    }
  }

  @Test
  void aRefusedRequestIsReportedWithItsReason() {
    var trip = new RoundTrip(s3, "no-such-bucket", 2);
    var shipment = Shipment.photographs(photographs(), 2);
    assertThatThrownBy(() -> trip.run(shipment, new ProgressLine(new PrintWriter(progress), false)))
        .isInstanceOf(CommandFailure.class)
        .hasMessageContaining("bucket does not exist");
  }

  private static List<Photograph> photographs() {
    return List.of(
        new Photograph("a.jpg", new byte[100_000]), new Photograph("b.jpg", new byte[1]));
  }
}
