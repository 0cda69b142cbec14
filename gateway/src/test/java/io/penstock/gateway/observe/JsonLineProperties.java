package io.penstock.gateway.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.time.Instant;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

class JsonLineProperties {

  @Property
  void anyTextIsReadBackAsItWas(@ForAll String name, @ForAll String text, @ForAll long number) {
    String line = new JsonLine().put("text", text).put("number", number).put("also", name).end();
    assertThat(line).doesNotContain("\n").doesNotContain("\r");
    JsonObject read = new JsonObject(line);
    assertThat(read.getString("text")).isEqualTo(text);
    assertThat(read.getLong("number")).isEqualTo(number);
    assertThat(read.getString("also")).isEqualTo(name);
  }

  @Property
  void aTimeIsTheSameInstantInMicroseconds(@ForAll int seconds, @ForAll int nanos) {
    Instant time =
        Instant.ofEpochSecond(seconds & 0x7FFFFFFFL, Math.floorMod(nanos, 1_000_000_000));
    JsonObject read = new JsonObject(new JsonLine().put("time", time).end());
    assertThat(Instant.parse(read.getString("time")))
        .isEqualTo(time.minusNanos(time.getNano() % 1_000));
  }

  @Example
  void nothingIsAnEmptyObject() {
    assertThat(new JsonObject(new JsonLine().end())).isEmpty();
  }
}
