package io.penstock.config;

import static io.penstock.config.Samples.VALID;
import static io.penstock.config.Samples.lines;
import static io.penstock.config.Samples.loaded;
import static io.penstock.config.Samples.parse;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Mistakes in access points, one at a time. */
class AccessPointMistakesTest {
  private static final String MODELS =
      "models: {folder: /m, files: [{name: net, file: net.onnx, sha256: '%s'}], access-points: [%s]}\n";

  private static String file(String points) {
    return VALID + MODELS.formatted("0".repeat(64), points);
  }

  @Test
  void aPointOfAKnownModelIsFine() {
    ModelsConfig models =
        loaded(parse(file("{name: features, bucket: photos, model: net, split: 'a:0'}")))
            .models()
            .orElseThrow();
    assertThat(models.accessPoints())
        .containsExactly(
            new ModelsConfig.AccessPointConfig(
                "features", "photos", "net", "a:0", ModelsConfig.Form.NPY));
  }

  @Test
  void mistakesAreNamed() {
    assertThat(lines(parse(file("{name: f, bucket: b, model: other, split: none}"))))
        .containsExactly(
            "10: models.access-points[0].model: is none of models.files, which has [net]");
    assertThat(lines(parse(file("{name: f, bucket: f, model: net, split: none}"))))
        .containsExactly(
            "10: models.access-points[0].bucket: is an access point; name a bucket of the store");
    assertThat(lines(parse(file("{name: f, bucket: b, model: net, split: auto}"))))
        .containsExactly(
            "10: models.access-points[0].split: must be the name of a cut, or none; only streams can"
                + " leave the choice to the gateway");
    assertThat(
            lines(
                parse(
                    file(
                        "{name: f, bucket: b, model: net, split: x}, {name: f, bucket: c, model: net, split: x}"))))
        .containsExactly(
            "10: models.access-points[1].name: is the same as models.access-points[0].name on line 10");
  }
}
