package io.penstock.arrow.decode;

/**
 * A regular file inside of a tar archive.
 *
 * @param name as the archive spells it, a leading {@code ./} included
 * @param offset of its first byte from the start of the archive
 * @param length in bytes
 */
public record TarEntry(String name, long offset, long length) {}
