package io.penstock.gateway.batch;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.gateway.testing.FaultyStore;
import io.penstock.gateway.testing.FloodStore;
import io.penstock.gateway.testing.LeakWatch;
import io.penstock.gateway.testing.Stack;
import java.io.InputStream;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Clients that leave or stand still, stores that break: nothing is left behind. */
@ExtendWith(LeakWatch.class)
@Timeout(120)
class BatchFaultsIT {

  private static String request(String key, int items, String more) {
    return "{\"version\": 1, \"bucket\": \"flood\", \"items\": [%s]%s}"
        .formatted(String.join(",", Collections.nCopies(items, '"' + key + '"')), more);
  }

  private static void awaitQuiet(BatchClient client, Stack stack) throws Exception {
    while (client.metric("penstock_memory_reserved_bytes", "batches", stack.gateway().admin()) > 0
        || client.metric("penstock_batch_streams ", "", stack.gateway().admin()) > 0
        || client.metric("penstock_memory_waiting", "", stack.gateway().admin()) > 0) {
      Thread.sleep(20);
    }
  }

  @Test
  void aClientThatLeavesFreesEverything() throws Exception {
    try (FloodStore store = new FloodStore();
        Stack stack = Stack.start(store.endpoint(), "ak", "sk", "");
        BatchClient client = new BatchClient(stack.s3())) {
      // what is compressed is so small that the client must leave sooner
      for (String compression : new String[] {"none", "lz4"}) {
        HttpResponse<InputStream> answer =
            client.open(
                "/-/batch",
                request(
                    "1000000",
                    500,
                    ", \"batch-size\": 8, \"compression\": \"" + compression + '"'));
        assertThat(answer.body().readNBytes(100_000)).hasSize(100_000);
        answer.body().close();
        awaitQuiet(client, stack);
      }
    }
  }

  @Test
  void aClientThatStandsStillIsCutOffAndCostsBoundedMemory() throws Exception {
    try (FloodStore store = new FloodStore();
        Stack stack =
            Stack.start(
                store.endpoint(),
                "ak",
                "sk",
                "batch: {write-deadline: 1s}\nruntime: {memory-budget: 64MiB}\n");
        BatchClient client = new BatchClient(stack.s3())) {
      HttpResponse<InputStream> answer =
          client.open("/-/batch", request("100000", 5000, ", \"batch-size\": 16"));
      assertThat(answer.statusCode()).isEqualTo(200);
      assertThat(
              client.metric("penstock_memory_reserved_bytes", "batches", stack.gateway().admin()))
          .isPositive()
          .isLessThanOrEqualTo(20e6);
      awaitQuiet(client, stack);
      assertThat(client.metric("penstock_batch_clients_cut_off", "", stack.gateway().admin()))
          .isEqualTo(1);
    }
  }

  @Test
  void manyStreamsShareASmallBudget() throws Exception {
    try (FloodStore store = new FloodStore();
        Stack stack =
            Stack.start(store.endpoint(), "ak", "sk", "runtime: {memory-budget: 32MiB}\n");
        BatchClient client = new BatchClient(stack.s3())) {
      AtomicInteger complete = new AtomicInteger();
      Thread[] readers = new Thread[6];
      for (int i = 0; i < readers.length; i++) {
        readers[i] =
            Thread.ofVirtual()
                .start(
                    () -> {
                      try {
                        var stream =
                            client.batch("/-/batch", request("100000", 100, ", \"batch-size\": 8"));
                        if (stream.error().isEmpty() && stream.rows().size() == 100) {
                          complete.incrementAndGet();
                        }
                      } catch (Exception e) {
                        throw new IllegalStateException(e);
                      }
                    });
      }
      for (Thread reader : readers) {
        reader.join();
      }
      assertThat(complete).hasValue(readers.length);
      awaitQuiet(client, stack);
    }
  }

  @Test
  void aBatchThatCannotFitEndsItsStreamInsteadOfWaitingForEver() throws Exception {
    try (FloodStore store = new FloodStore();
        Stack stack =
            Stack.start(
                store.endpoint(),
                "ak",
                "sk",
                "runtime: {memory-budget: 32MiB}\nbatch: {memory-deadline: 500ms}\n");
        BatchClient client = new BatchClient(stack.s3())) {
      var answer = client.post("/-/batch", request("2000000", 100, ""));
      assertThat(answer.statusCode()).isEqualTo(503);
      assertThat(new String(answer.body(), StandardCharsets.UTF_8))
          .contains("<Code>SlowDown</Code>", "smaller batches");
      awaitQuiet(client, stack);
      assertThat(client.batch("/-/batch", request("100000", 10, "")).rows()).hasSize(10);
    }
  }

  @Test
  void aBrokenReadIsARowOfItsOwn() throws Exception {
    try (FaultyStore store =
            FaultyStore.start(
                peer -> {
                  String head = peer.readRequest();
                  if (head != null && head.contains("/good")) {
                    peer.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nETag: \"e\"\r\n\r\nhello");
                  } else if (head != null) {
                    peer.send("HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\nhello");
                  }
                });
        Stack stack =
            Stack.start(
                store.uri(),
                "ak",
                "sk",
                "runtime: {event-loops: 1}\nbatch: {reads-in-flight: 2}\n");
        BatchClient client = new BatchClient(stack.s3())) {
      var stream =
          client.batch(
              "/-/batch",
              "{\"version\": 1, \"bucket\": \"flood\", \"items\": [\"good\", \"bad\", \"good\"]}");
      assertThat(stream.error()).isEmpty();
      assertThat(stream.rows().get(0).payload().orElseThrow()).hasSize(5);
      assertThat(stream.rows().get(1).code()).isEqualTo("ServiceUnavailable");
      assertThat(stream.rows().get(2).payload().orElseThrow()).hasSize(5);
      awaitQuiet(client, stack);
    }
  }

  @Test
  void anObjectAboveTheLimitIsARowOfItsOwn() throws Exception {
    try (FloodStore store = new FloodStore();
        Stack stack = Stack.start(store.endpoint(), "ak", "sk", "batch: {max-item: 64KiB}\n");
        BatchClient client = new BatchClient(stack.s3())) {
      var stream =
          client.batch(
              "/-/batch",
              "{\"version\": 1, \"bucket\": \"flood\", \"items\": [\"100\", \"65537\", \"0\"]}");
      assertThat(stream.rows().get(0).payload().orElseThrow()).hasSize(100);
      assertThat(stream.rows().get(1).code()).isEqualTo("EntityTooLarge");
      assertThat(stream.rows().get(2).payload().orElseThrow()).isEmpty();
      awaitQuiet(client, stack);
    }
  }

  @Test
  void aTenantMayOnlyHaveSoManyStreams() throws Exception {
    try (FloodStore store = new FloodStore();
        Stack stack =
            Stack.start(store.endpoint(), "ak", "sk", "batch: {max-runs-per-tenant: 1}\n");
        BatchClient client = new BatchClient(stack.s3())) {
      HttpResponse<InputStream> first =
          client.open("/-/batch", request("1000000", 500, ", \"batch-size\": 8"));
      assertThat(first.statusCode()).isEqualTo(200);
      var second = client.post("/-/batch", request("1", 1, ""));
      assertThat(second.statusCode()).isEqualTo(503);
      first.body().close();
      awaitQuiet(client, stack);
      assertThat(client.post("/-/batch", request("1", 1, "")).statusCode()).isEqualTo(200);
    }
  }
}
