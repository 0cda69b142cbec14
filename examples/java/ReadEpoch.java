import io.penstock.arrow.ipc.ReceivedBatch;
import io.penstock.arrow.memory.ArrowBlockSource;
import io.penstock.arrow.wire.BatchView;
import io.penstock.arrow.wire.ItemStatus;
import io.penstock.sink.client.ClientOptions;
import io.penstock.sink.client.GatewayAddress;
import io.penstock.sink.client.GatewayClient;
import org.apache.arrow.memory.RootAllocator;

/**
 * One epoch of a bucket in Java. After {@code ./penstock build}, with the AWS variables set:
 *
 * <pre>
 * java @jvm.flags -cp gpu-sink/target/gpu-sink-0.1.0-SNAPSHOT.jar examples/java/ReadEpoch.java pictures train/
 * </pre>
 */
class ReadEpoch {
  public static void main(String[] arguments) {
    var client = new GatewayClient(GatewayAddress.of(System.getenv()), ClientOptions.DEFAULT);
    var request =
        GatewayClient.request(
            """
            {"version": 1, "bucket": "%s", "prefix": "%s", "batch-size": 64,
             "epoch": {"seed": 42, "rank": 0, "world-size": 1}}
            """
                .formatted(arguments[0], arguments[1]));
    long objects = 0;
    long bytes = 0;
    try (var allocator = new RootAllocator();
        var stream = client.open(request, new ArrowBlockSource(allocator))) {
      for (ReceivedBatch batch : stream) {
        try (batch) { // its memory is free after this
          var view = new BatchView(batch);
          for (int row = 0; row < view.rows(); row++) {
            if (view.status(row) instanceof ItemStatus.Failed failed) {
              System.err.println(view.head(row).key() + ": " + failed.message());
            } else {
              objects++;
              bytes += batch.column("payload").bytes(row).orElseThrow().byteSize();
            }
          }
        }
      }
    }
    System.out.println(objects + " objects, " + bytes + " bytes");
  }
}
