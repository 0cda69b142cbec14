package io.penstock.gateway.transform;

import io.penstock.arrow.tensor.TensorSpec;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
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

  /** Whether there is more to it than decoding. */
  public boolean isComputed() {
    return !"none".equals(words.get("penstock.transform.split"));
  }

  /**
   * Stands for everything that decides what an object becomes, but for the object: model, split and
   * decoding.
   */
  public String recipe() {
    String whole =
        String.join(
            "\n",
            sha256,
            words.getOrDefault("penstock.transform.tensor", ""),
            words.getOrDefault("penstock.transform.split", ""),
            words.getOrDefault("penstock.decode", ""));
    try {
      byte[] sum =
          MessageDigest.getInstance("SHA-256").digest(whole.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(sum);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
