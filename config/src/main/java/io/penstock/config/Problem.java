package io.penstock.config;

import java.nio.file.Path;

/**
 * One mistake in a configuration file. The message says what to do and holds no value of the file,
 * of the environment or of a secret file, because any of them may be a secret in the wrong place.
 *
 * @param path dotted path of the key, such as {@code tenants[0].access-key}; empty for the file
 * @param line line in the file, from 1
 * @param column column in that line, from 1
 * @param message what is wrong and what to do
 */
public record Problem(String path, int line, int column, String message) {

  /** The problem as {@code FILE:LINE: path: message}. */
  public String describe(Path file) {
    return file + ":" + line + ": " + (path.isEmpty() ? "" : path + ": ") + message;
  }
}
