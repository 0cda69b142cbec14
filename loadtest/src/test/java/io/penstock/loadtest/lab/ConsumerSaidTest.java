package io.penstock.loadtest.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ConsumerSaidTest {
  @Test
  void figuresAndNotesAreTakenOutOfTheChatter() {
    var said =
        ConsumerSaid.of(
            List.of("UserWarning: something", "note s3fs -o ro", "metric epoch1_s 1.5", "metric"));
    assertThat(said.figures()).containsOnlyKeys("epoch1_s").containsValue(1.5);
    assertThat(said.notes()).containsExactly("s3fs -o ro");
    assertThat(said.skipped()).isEmpty();
  }

  @Test
  void aReasonNotToRunIsKept() {
    assertThat(ConsumerSaid.of(List.of("skip no torch")).skipped()).contains("no torch");
  }
}
