package io.penstock.arrow.wire;

/**
 * The frozen layers to apply to each batch.
 *
 * @param model name of a model that the gateway has
 * @param split name of the last layer that the gateway computes, or {@link #AUTO}
 */
public record TransformRequest(String model, String split) {
  /** The gateway chooses. */
  public static final String AUTO = "auto";
}
