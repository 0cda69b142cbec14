package io.penstock.arrow.decode;

/**
 * Bounds against bombs and mistakes, checked before memory is taken. {@link #DEFAULTS} suits
 * training data; every item of a batch is held to the same limits.
 *
 * @param sourceBytes length of one object, or of one member of an archive, that is decoded
 * @param expandedBytes bytes that a compressed source may unpack to
 * @param expansion unpacked bytes for one packed byte, once {@value #EXPANSION_FREE} bytes are out
 * @param pixels width times height of a picture as stored
 * @param entries members of an archive, tensors of a file, rows of a table
 * @param columns columns of a table
 * @param nesting depth of JSON values
 */
public record DecodeLimits(
    long sourceBytes,
    long expandedBytes,
    int expansion,
    long pixels,
    int entries,
    int columns,
    int nesting) {

  /** Small things may be packed as tightly as they like. */
  static final long EXPANSION_FREE = 1 << 20;

  /** OpenCV and direct buffers count in ints. */
  static final long LARGEST_SOURCE = Integer.MAX_VALUE - 64L;

  public static final DecodeLimits DEFAULTS =
      new DecodeLimits(1L << 30, 4L << 30, 1200, 100_000_000, 10_000_000, 4096, 64);

  public DecodeLimits {
    long least = Math.min(Math.min(sourceBytes, expandedBytes), Math.min(expansion, pixels));
    if (Math.min(least, Math.min(Math.min(entries, columns), nesting)) < 1) {
      throw new IllegalArgumentException("every decode limit must be at least 1");
    }
    if (sourceBytes > LARGEST_SOURCE) {
      throw new IllegalArgumentException(
          "a decoder takes sources of at most %d bytes".formatted(LARGEST_SOURCE));
    }
  }

  public DecodeLimits withSourceBytes(long bytes) {
    return new DecodeLimits(bytes, expandedBytes, expansion, pixels, entries, columns, nesting);
  }

  public DecodeLimits withExpandedBytes(long bytes) {
    return new DecodeLimits(sourceBytes, bytes, expansion, pixels, entries, columns, nesting);
  }

  public DecodeLimits withExpansion(int ratio) {
    return new DecodeLimits(sourceBytes, expandedBytes, ratio, pixels, entries, columns, nesting);
  }

  public DecodeLimits withPixels(long count) {
    return new DecodeLimits(
        sourceBytes, expandedBytes, expansion, count, entries, columns, nesting);
  }

  public DecodeLimits withEntries(int count) {
    return new DecodeLimits(sourceBytes, expandedBytes, expansion, pixels, count, columns, nesting);
  }

  public DecodeLimits withColumns(int count) {
    return new DecodeLimits(sourceBytes, expandedBytes, expansion, pixels, entries, count, nesting);
  }

  public DecodeLimits withNesting(int depth) {
    return new DecodeLimits(sourceBytes, expandedBytes, expansion, pixels, entries, columns, depth);
  }

  /** Refuses a source that is empty or longer than allowed. */
  void checkSource(long bytes) throws DecodeException {
    if (bytes == 0) {
      throw DecodeException.truncated("the object is empty");
    }
    if (bytes > sourceBytes) {
      throw DecodeException.tooLarge(
          "the object has %d bytes, decoded are at most %d".formatted(bytes, sourceBytes));
    }
  }

  /** Refuses what has been unpacked so far, if it is too much or came from too little. */
  void checkExpansion(long unpacked, long packed) throws DecodeException {
    if (unpacked > expandedBytes) {
      throw DecodeException.tooLarge("it unpacks to more than %d bytes".formatted(expandedBytes));
    }
    if (unpacked > EXPANSION_FREE && unpacked / expansion > packed) {
      throw DecodeException.tooLarge(
          "it unpacks to more than %d times its size".formatted(expansion));
    }
  }
}
