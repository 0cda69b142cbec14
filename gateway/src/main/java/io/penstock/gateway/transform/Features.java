package io.penstock.gateway.transform;

import io.penstock.arrow.tensor.TensorSpec;
import java.util.Map;

/**
 * What a model makes of objects at one split.
 *
 * @param sha256 of the model
 * @param spec one sample of it
 * @param words what is done, as in the schema of a batch
 */
public record Features(String sha256, TensorSpec spec, Map<String, String> words) {
  public Features {
    words = Map.copyOf(words);
  }

  /**
   * Everything that decides what an object becomes, but for the object: model, split and decoding,
   * in one line.
   */
  public String recipe() {
    return String.join(
        "\n",
        sha256,
        words.getOrDefault("penstock.transform.tensor", ""),
        words.getOrDefault("penstock.transform.split", ""),
        words.getOrDefault("penstock.decode", ""));
  }
}
