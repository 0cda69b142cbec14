package io.penstock.dpu.transform.model;

import java.util.regex.Pattern;

/**
 * Which network, to the byte.
 *
 * @param name as the configuration has it and requests say it
 * @param sha256 of the whole ONNX file, 64 lower-case hexadecimal digits; part of every key under
 *     which features are cached and of every ETag made from them
 */
public record ModelId(String name, String sha256) {
  private static final Pattern HASH = Pattern.compile("[0-9a-f]{64}");

  /**
   * @throws IllegalArgumentException if the hash is none
   */
  public ModelId {
    if (!HASH.matcher(sha256).matches()) {
      throw new IllegalArgumentException(
          "the SHA-256 of model " + name + " must be 64 lower-case hexadecimal digits");
    }
  }

  @Override
  public String toString() {
    return name + "@" + sha256.substring(0, 12);
  }
}
