package io.penstock.config;

/**
 * A number of bytes, written {@code 64KiB}, {@code 5GiB}, {@code 1MB} or a plain number in YAML.
 */
public record ByteSize(long bytes) {}
