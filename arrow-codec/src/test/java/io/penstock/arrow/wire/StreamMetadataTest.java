package io.penstock.arrow.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class StreamMetadataTest {
  @Test
  void saysWhatWasDone() throws IOException {
    BatchRequest request =
        request(
            """
            {"version":1,"bucket":"b","prefix":"","batch-size":8,"order":"as-ready",
             "decode":{"as":"image","height":2,"width":3,"dtype":"float16","upright":true,
               "normalise":{"mean":[0.5,1,0]}},
             "epoch":{"seed":-1,"number":2,"rank":1,"world-size":2,"resume-at":4},
             "transform":{"model":"m"}}
            """);
    assertThat(StreamMetadata.of(request, OptionalLong.of(77)))
        .containsExactlyInAnyOrderEntriesOf(
            Map.ofEntries(
                Map.entry("penstock.protocol", "1"),
                Map.entry("penstock.bucket", "b"),
                Map.entry(
                    "penstock.decode",
                    "{\"as\":\"image\",\"height\":2,\"width\":3,\"dtype\":\"float16\",\"upright\":true,"
                        + "\"normalise\":{\"mean\":[0.5,1,0]}}"),
                Map.entry("penstock.batch-size", "8"),
                Map.entry("penstock.order", "as-ready"),
                Map.entry("penstock.on-error", "continue"),
                Map.entry("penstock.compression", "none"),
                Map.entry("penstock.items", "77"),
                Map.entry("penstock.epoch.shuffle", "true"),
                Map.entry("penstock.epoch.seed", "-1"),
                Map.entry("penstock.epoch.number", "2"),
                Map.entry("penstock.epoch.rank", "1"),
                Map.entry("penstock.epoch.world-size", "2"),
                Map.entry("penstock.epoch.tail", "keep"),
                Map.entry("penstock.epoch.resume-at", "4"),
                Map.entry("penstock.transform.model", "m"),
                Map.entry("penstock.transform.split", "auto")));
  }

  @Test
  void leavesOutWhatWasNotAsked() throws IOException {
    BatchRequest request = request("{\"version\":1,\"bucket\":\"b\",\"prefix\":\"\"}");
    assertThat(StreamMetadata.of(request, OptionalLong.empty()))
        .containsEntry("penstock.decode", "{\"as\":\"raw\"}")
        .hasSize(7);
  }

  private static BatchRequest request(String text) throws IOException {
    RequestResult result =
        new BatchRequestReader(RequestLimits.DEFAULT)
            .read(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
    return ((RequestResult.Accepted) result).request();
  }
}
