package io.penstock.config;

import static io.penstock.config.Samples.VALID;
import static io.penstock.config.Samples.lines;
import static io.penstock.config.Samples.loaded;
import static io.penstock.config.Samples.parse;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class PlaceholdersTest {
  private final Placeholders placeholders =
      new Placeholders(Map.of("A", "one", "B", "${A}", "EMPTY", ""));

  private String text(String raw) {
    Placeholders.Expansion expansion = placeholders.expand(raw);
    assertThat(expansion.mistakes()).isEmpty();
    return expansion.text();
  }

  private java.util.List<String> mistakes(String raw) {
    return placeholders.expand(raw).mistakes();
  }

  @Test
  void replacesNamesByValues() {
    assertThat(text("${A}")).isEqualTo("one");
    assertThat(text("x-${A}-${A}-y")).isEqualTo("x-one-one-y");
    assertThat(text("no placeholder, $A, {A}, $")).isEqualTo("no placeholder, $A, {A}, $");
  }

  @Test
  void takesTheDefaultWhenUnsetOrEmpty() {
    assertThat(text("${A:two}")).isEqualTo("one");
    assertThat(text("${C:two}")).isEqualTo("two");
    assertThat(text("${EMPTY:two}")).isEqualTo("two");
    assertThat(text("${C:}")).isEmpty();
    assertThat(text("${C:http://host:80}")).isEqualTo("http://host:80");
  }

  @Test
  void twoDollarsStandForOne() {
    assertThat(text("$${A}")).isEqualTo("${A}");
    assertThat(text("$${A}${A}")).isEqualTo("${A}one");
    assertThat(text("$$${A}")).isEqualTo("$${A}");
    assertThat(text("$$")).isEqualTo("$$");
  }

  @Test
  void doesNotSearchValuesAgain() {
    assertThat(text("${B}")).isEqualTo("${A}");
  }

  @Test
  void everyMistakeIsNamed() {
    assertThat(mistakes("${X}-${EMPTY}"))
        .containsExactly(
            "environment variable X is not set; set it, or write ${X:default}",
            "environment variable EMPTY is empty; set it, or write ${EMPTY:default}");
    assertThat(mistakes("${")).singleElement().asString().contains("without its '}'");
    assertThat(mistakes("${A")).singleElement().asString().contains("without its '}'");
    assertThat(mistakes("${}")).singleElement().asString().contains("must be followed by");
    assertThat(mistakes("${a b}")).singleElement().asString().contains("must be followed by");
    assertThat(mistakes("${X:${A}}")).singleElement().asString().contains("cannot hold another");
  }

  @Test
  void anyValueOfTheFileMayComeFromTheEnvironment() {
    String yaml =
        VALID
            .replace("s3: {host: 127.0.0.1, port: 0}", "s3: {host: \"${HOST}\", port: \"${PORT}\"}")
            .replace("[http://127.0.0.1:8333]", "[\"${ONE}\", \"${TWO:}\"]")
            .replace("secret-key: store-secret", "secret-key: ${KEY}\n  session-token: ${TOKEN:}");
    var environment =
        Map.of("HOST", "::", "PORT", "8080", "ONE", "http://one", "KEY", "a: [b] # \"c\"");
    GatewayConfig config = loaded(parse(yaml, environment));
    assertThat(config.listen().s3().port()).isEqualTo(8080);
    assertThat(config.upstream().endpoints()).hasSize(1);
    assertThat(config.upstream().secretKey().reveal()).isEqualTo("a: [b] # \"c\"");
    assertThat(config.upstream().sessionToken()).isEmpty();
  }

  @Test
  void aValueFromTheEnvironmentIsCheckedAndNotShown() {
    String yaml = VALID.replace("s3: {host: 127.0.0.1, port: 0}", "s3: {port: \"${PORT}\"}");
    assertThat(lines(parse(yaml, Map.of("PORT", "hunter2"))))
        .containsExactly("2: listen.s3.port: must be a whole number");
    assertThat(lines(parse(yaml, Map.of("PORT", "80\n"))))
        .containsExactly(
            "2: listen.s3.port: holds a line break or another control character; remove it");
  }

  @Test
  void aRequiredKeyThatComesToNothingIsMissing() {
    String yaml = VALID.replace("secret-key: store-secret", "secret-key: ${KEY:}");
    assertThat(lines(parse(yaml)))
        .containsExactly(
            "7: upstream.secret-key: is missing; write secret-key or secret-key-file, or anonymous: true");
  }
}
