package io.penstock.config;

/** What is written about requests. */
public record LogConfig(
    @Key(
            doc =
                "Which requests get a line in the access log: all, errors (answered 400 or above, or"
                    + " broken off), none.",
            defaultValue = "all",
            reloadable = true)
        Access access) {

  /** Which requests get a line. */
  public enum Access {
    ALL,
    ERRORS,
    NONE
  }
}
