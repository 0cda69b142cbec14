package io.penstock.config;

import static io.penstock.config.Samples.CERTIFICATE;
import static io.penstock.config.Samples.PRIVATE_KEY;
import static io.penstock.config.Samples.loaded;
import static io.penstock.config.Samples.write;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigReferenceTest {
  private static final Map<String, String> ENVIRONMENT =
      Map.of("STORE_ACCESS_KEY", "AK", "STORE_SECRET_KEY", "SK", "DEMO_SECRET_KEY", "demo-secret");

  @TempDir Path directory;

  @Test
  void theCommittedPageIsWhatTheRecordsSay() throws IOException {
    assertThat(Files.readString(Path.of("../docs/configuration.md")))
        .as("run: ./penstock config reference > docs/configuration.md")
        .isEqualTo(ConfigReference.markdown());
  }

  @Test
  void theExampleHoldsExactlyTheDefaults() {
    ConfigLoader loader = new ConfigLoader(ENVIRONMENT);
    GatewayConfig example = loaded(loader.parse(ConfigReference.example(), directory));
    GatewayConfig minimal = loaded(loader.load(Path.of("../examples/minimal.yaml")));
    assertThat(example).isEqualTo(minimal);
  }

  @Test
  void theExampleLoadsWithEveryKeyBroughtIn() {
    write(directory.resolve("tls.crt"), CERTIFICATE);
    write(directory.resolve("tls.key"), PRIVATE_KEY);
    String yaml =
        everyKey(ConfigReference.example())
            .replaceAll("/etc/penstock/.*\\.crt", directory + "/tls.crt")
            .replaceAll("/etc/penstock/.*\\.key", directory + "/tls.key");
    GatewayConfig config = loaded(new ConfigLoader(ENVIRONMENT).parse(yaml, directory));
    assertThat(config.listen().s3().tls()).isPresent();
    assertThat(config.tenants().getFirst().policy().orElseThrow().rules().getFirst().prefix())
        .contains("images/");
    assertThat(config.runtime().memoryBudget()).isPresent();
  }

  @Test
  void everyKeyStandsInThePageAndInTheExample() {
    String page = ConfigReference.markdown();
    String example = ConfigReference.example();
    for (KeySchema key : keys(GatewayConfig.class)) {
      assertThat(example).containsPattern("(?m)^[# -]*" + key.name() + ":");
      if (key.shape() instanceof Shape.Value) {
        assertThat(page).contains("| `" + key.name() + "`");
      }
    }
  }

  /** A key without its own words, or with a default that it would itself refuse, is a mistake. */
  @Test
  void everyKeyIsDescribed() {
    for (KeySchema key : keys(GatewayConfig.class)) {
      assertThat(key.rules().doc()).as(key.name()).endsWith(".");
      assertThat(key.preset().isPresent() && key.optional()).as(key.name()).isFalse();
      if (key.shape() instanceof Shape.Value && !key.preset().isPresent()) {
        assertThat(key.rules().example()).as(key.name()).isNotEmpty();
      }
      assertThat(key.rules().pattern().isEmpty())
          .as(key.name())
          .isEqualTo(key.rules().expected().isEmpty());
    }
  }

  private static List<KeySchema> keys(Class<? extends Record> section) {
    List<KeySchema> keys = new ArrayList<>();
    for (KeySchema key : SectionSchema.of(section).keys()) {
      keys.add(key);
      Shape inner = key.shape() instanceof Shape.Many(Shape item) ? item : key.shape();
      if (inner instanceof Shape.Nested(var type)) {
        keys.addAll(keys(type));
      }
    }
    return keys;
  }

  /** Removes each {@code #} that only switches a key off. */
  private static String everyKey(String example) {
    String before = example;
    String after = before.replaceAll("(?m)^( *)#(?! \\S)", "$1");
    while (!after.equals(before)) {
      before = after;
      after = before.replaceAll("(?m)^( *)#(?! \\S)", "$1");
    }
    return after;
  }
}
