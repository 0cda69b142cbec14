package io.penstock.arrow.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BatchRequestWriterTest {
  private final BatchRequestReader reader = new BatchRequestReader(RequestLimits.DEFAULT);

  @ParameterizedTest
  @ValueSource(
      strings = {
        """
        {"version":1,"bucket":"b","items":["a",{"key":"k","version-id":"v","range":{"offset":1,
        "length":2},"label":-1.5e3},{"key":"t\\u0000\\"ä","member":"m","label":7.25}],
        "decode":{"as":"image","height":2,"width":2,"dtype":"float32",
        "normalise":{"mean":[1,2.5,0],"scale":1},"upright":true},"batch-size":7,"order":"as-ready",
        "on-error":"fail","compression":"lz4","tensors":"list","landing":{"ring":"r"},
        "epoch":{"seed":-9223372036854775808,"number":9,"rank":1,"world-size":2,"tail":"drop",
        "resume-at":12},"transform":{"model":"m","split":"s"}}
        """,
        """
        {"version":1,"bucket":"b","prefix":"","epoch":{"shuffle":false}}
        """,
        """
        {"version":1,"bucket":"b","manifest":{"key":"m","version-id":"v"},"decode":"csv"}
        """
      })
  void whatIsReadIsWhatWasWritten(String text) throws IOException {
    BatchRequest first = read(text.getBytes(StandardCharsets.UTF_8));
    byte[] written = BatchRequestWriter.json(first);
    BatchRequest second = read(written);
    assertThat(BatchRequestWriter.json(second)).isEqualTo(written);
    assertThat(second).usingRecursiveComparison().ignoringFields("source.items").isEqualTo(first);
    if (first.source() instanceof ItemSource.Listed(ItemList items)) {
      ItemList again = ((ItemSource.Listed) second.source()).items();
      assertThat(again.size()).isEqualTo(items.size());
      for (int i = 0; i < items.size(); i++) {
        assertThat(again.get(i)).isEqualTo(items.get(i));
      }
    }
  }

  private BatchRequest read(byte[] json) throws IOException {
    return ((RequestResult.Accepted) reader.read(new ByteArrayInputStream(json))).request();
  }
}
