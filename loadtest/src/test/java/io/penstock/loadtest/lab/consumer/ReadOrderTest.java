package io.penstock.loadtest.lab.consumer;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.loadtest.lab.consumer.ReadOrder.Mode;
import java.net.URI;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class ReadOrderTest {
  private static final ReadOrder ORDER =
      new ReadOrder(
          List.of(URI.create("http://a:1"), URI.create("http://b:2")),
          Mode.BATCH,
          3,
          10,
          4,
          2,
          100,
          Duration.ZERO,
          Duration.ofSeconds(1));

  @Test
  void connectionsShareTheEndpoints() {
    assertThat(ORDER.endpoint(0)).isEqualTo(ORDER.endpoint(2)).hasHost("a");
    assertThat(ORDER.endpoint(1)).hasHost("b");
  }

  @Test
  void noObjectIsReadTwice() {
    Set<String> keys = new HashSet<>();
    for (int request = 0; request < 3; request++) {
      for (int connection = 0; connection < 3; connection++) {
        Pattern.compile("\"(10-\\d+)\"")
            .matcher(ORDER.batchBody(connection, request))
            .results()
            .forEach(found -> assertThat(keys.add(found.group(1))).isTrue());
      }
    }
    assertThat(keys).hasSize(36).contains("10-100");
  }

  @Test
  void ranksOfAnEpochAskForTheSameObjects() {
    String one = ORDER.epochBody(0, 1);
    assertThat(one).contains("\"10-104\"", "\"rank\":0,\"world-size\":3");
    assertThat(ORDER.epochBody(2, 1)).isEqualTo(one.replace("\"rank\":0", "\"rank\":2"));
  }
}
