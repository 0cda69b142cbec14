package io.penstock.config.yaml;

/**
 * Where and why the parser stopped.
 *
 * @param recoverable whether the rest can be read once this line is taken out
 */
record SyntaxError(Position at, String message, boolean recoverable) {}
