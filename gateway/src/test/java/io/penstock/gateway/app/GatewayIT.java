package io.penstock.gateway.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.gateway.embedded.EmbeddedStore;
import io.penstock.gateway.embedded.StoreOptions;
import io.penstock.gateway.testing.Stack;
import java.util.Random;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.sync.RequestBody;

class GatewayIT {

  @Test
  void bytesPutThroughTheGatewayAreTheStoresBytes() throws Exception {
    byte[] bytes = new byte[3_000_000];
    new Random(1).nextBytes(bytes);
    try (EmbeddedStore store = EmbeddedStore.start(StoreOptions.inMemory("ak", "sk"));
        Stack stack = Stack.start(store.endpoint(), "ak", "sk", "");
        var client = stack.client();
        var direct = Stack.client(store.endpoint(), "ak", "sk")) {
      client.createBucket(b -> b.bucket("pictures"));
      client.putObject(r -> r.bucket("pictures").key("a b/é+.bin"), RequestBody.fromBytes(bytes));
      assertThat(direct.getObjectAsBytes(r -> r.bucket("pictures").key("a b/é+.bin")).asByteArray())
          .isEqualTo(bytes);
      assertThat(client.getObjectAsBytes(r -> r.bucket("pictures").key("a b/é+.bin")).asByteArray())
          .isEqualTo(bytes);
    }
  }
}
