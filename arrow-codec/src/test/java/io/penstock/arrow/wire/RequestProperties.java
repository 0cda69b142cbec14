package io.penstock.arrow.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** For longer: {@code -Djqwik.tries.default=1000000}. */
class RequestProperties {
  private static final String SAMPLE =
      """
      {"version":1,"bucket":"b","items":["a",{"key":"k","version-id":"v","range":{"offset":1,
      "length":2},"label":-1.5e3},{"key":"t","member":"m"}],"decode":{"as":"image","height":2,
      "width":2,"dtype":"float32","normalise":{"mean":[1,2.5,0],"scale":1},"upright":true},"batch-size":7,"order":"strict","on-error":"fail","compression":"lz4",
      "epoch":{"seed":1,"rank":0,"world-size":2},"transform":{"model":"m"},"landing":{"ring":"r"}}
      """;

  private static final List<String> PIECES =
      List.of(
          "{",
          "}",
          "[",
          "]",
          ",",
          ":",
          "\"",
          "\\",
          "\\ud800",
          "null",
          "true",
          "-",
          "1e999",
          "0",
          "99999999999999999999999",
          "\"key\"",
          "\"items\":",
          "\"epoch\":{",
          "\u0000",
          "é",
          " ");

  private final BatchRequestReader reader =
      new BatchRequestReader(new RequestLimits(5000, 100, 1000));

  @Example
  void theSampleThatIsDamagedBelowIsSound() throws IOException {
    assertThat(reader.read(new ByteArrayInputStream(SAMPLE.getBytes(StandardCharsets.UTF_8))))
        .isInstanceOf(RequestResult.Accepted.class);
  }

  /** Whatever the bytes are: an answer, and a problem that can be shown. */
  @Property
  void anyBytesGetAnAnswer(@ForAll @Size(max = 200) byte[] bytes) throws IOException {
    answer(bytes);
  }

  @Property
  void anyDamageGetsAnAnswer(
      @ForAll @Size(max = 4) List<@IntRange(max = 600) Integer> places,
      @ForAll @IntRange(max = 20) int piece,
      @ForAll byte replacement,
      @ForAll boolean insert)
      throws IOException {
    StringBuilder text = new StringBuilder(SAMPLE);
    for (int place : places) {
      int at = place % text.length();
      if (insert) {
        text.insert(at, PIECES.get(piece));
      } else {
        text.setCharAt(at, (char) (replacement & 0x7F));
      }
    }
    answer(text.toString().getBytes(StandardCharsets.UTF_8));
    int cut = places.isEmpty() ? 0 : places.getFirst() % text.length();
    answer(text.substring(0, cut).getBytes(StandardCharsets.UTF_8));
  }

  private void answer(byte[] bytes) throws IOException {
    switch (reader.read(new ByteArrayInputStream(bytes))) {
      case RequestResult.Accepted(BatchRequest request) ->
          assertThat(request.bucket()).isNotEmpty();
      case RequestResult.Rejected(RequestResult.RequestProblem problem) ->
          assertThat(problem.text()).isNotBlank().hasSizeLessThan(2000);
    }
  }

  @Property(tries = 300)
  void theListIsWhatWasPutIn(@ForAll("items") List<Item> items) {
    ItemList.Builder builder = new ItemList.Builder();
    items.forEach(builder::add);
    ItemList list = builder.build();
    List<Item> back = new ArrayList<>();
    for (int i = 0; i < list.size(); i++) {
      back.add(list.get(i));
    }
    assertThat(back).isEqualTo(items);
  }

  @Provide
  Arbitrary<List<Item>> items() {
    Arbitrary<String> text =
        Arbitraries.strings().ofMinLength(1).ofMaxLength(30).filter(RequestProperties::isUnicode);
    Arbitrary<Optional<Item.Range>> range =
        Combinators.combine(
                Arbitraries.longs().greaterOrEqual(0), Arbitraries.longs().greaterOrEqual(1))
            .as(Item.Range::new)
            .optional();
    Arbitrary<Label> label =
        Arbitraries.longs()
            .<Label>map(Label.Whole::new)
            .injectNull(0.3)
            .map(some -> some == null ? Label.NONE : some);
    return Combinators.combine(text, text.optional(), range, text.optional(), label)
        .as(Item::new)
        .list()
        .ofMaxSize(40);
  }

  private static boolean isUnicode(String text) {
    return StandardCharsets.UTF_8.newEncoder().canEncode(text);
  }
}
