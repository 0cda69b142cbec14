package io.penstock.arrow.decode;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads the headers of a tar archive as its bytes go by and makes a {@link TarIndex}. Contents are
 * passed over, not kept: whoever feeds it may skip to {@link #position()} and fetch only headers.
 * Knows ustar, pax (path and size) and GNU long names and sizes; links, directories and devices are
 * passed over. Sparse files, parts of multi-volume archives and unknown types are refused. An
 * archive without its end block is truncated, because an archive cut between two files looks just
 * like that.
 *
 * <p>Threading: one thread at a time.
 *
 * <p>Ownership: holds at most one header and one extended header of {@value #EXTENDED_BYTES} bytes,
 * besides the entries; never a caller's segment.
 */
public final class TarIndexer {

  private static final int EXTENDED_BYTES = 1 << 20;

  private final DecodeLimits limits;
  private final List<TarEntry> entries = new ArrayList<>();
  private final byte[] header = new byte[TarHeader.BYTES];
  // what is being collected: the header, or the content of an extended one
  private byte[] filling = header;
  private int filled;
  private long position;
  private boolean ended;
  private char extendedType;
  private @Nullable String longName;
  private Map<String, String> pax = Map.of();

  public TarIndexer(DecodeLimits limits) {
    this.limits = limits;
  }

  /** Offset in the archive of the next byte that is needed; nothing before it matters any more. */
  public long position() {
    return position;
  }

  /** Whether the end of the archive was seen; what follows does not matter. */
  public boolean ended() {
    return ended;
  }

  /** Takes bytes of the archive that start at {@code offset}, which is not after the position. */
  public void accept(long offset, MemorySegment bytes) throws DecodeException {
    if (!ended && offset > position) {
      throw new IllegalArgumentException(
          "bytes from %d on, but those from %d are missing".formatted(offset, position));
    }
    long end = offset + bytes.byteSize();
    while (!ended && position < end) {
      int count = (int) Math.min(filling.length - filled, end - position);
      MemorySegment.copy(bytes, position - offset, MemorySegment.ofArray(filling), filled, count);
      filled += count;
      position += count;
      if (filled == filling.length) {
        filled = 0;
        finishBlock();
      }
    }
  }

  /**
   * The index, once all bytes went by.
   *
   * @param size length of the archive, against which every entry is checked
   */
  public TarIndex finish(long size) throws DecodeException {
    if (!ended) {
      throw DecodeException.truncated("the tar archive ends without its end block: store it again");
    }
    for (TarEntry entry : entries) {
      if (entry.length() > size - entry.offset()) {
        throw DecodeException.truncated(
            "the tar archive ends inside of " + DecodeException.quoted(entry.name()));
      }
    }
    return new TarIndex(entries);
  }

  private void finishBlock() throws DecodeException {
    if (filling != header) {
      byte[] extended = filling;
      filling = header;
      // contents are padded to whole blocks
      position = padded(position);
      finishExtended(extended);
    } else if (TarHeader.isEnd(header)) {
      ended = true;
    } else {
      finishHeader(TarHeader.parse(header));
    }
  }

  private void finishExtended(byte[] content) throws DecodeException {
    switch (extendedType) {
      case 'L' -> longName = new String(content, StandardCharsets.UTF_8).split("\0", 2)[0];
      case 'x' -> {
        pax = PaxRecords.parse(content);
        refuseSparse(pax);
      }
      case 'g' -> {
        Map<String, String> all = PaxRecords.parse(content);
        refuseSparse(all);
        if (all.containsKey("path") || all.containsKey("size")) {
          throw DecodeException.unsupported(
              "the tar archive sets one path or size for all files: write it with tar or WebDataset");
        }
      }
      default -> {}
    }
  }

  private static void refuseSparse(Map<String, String> records) throws DecodeException {
    if (records.keySet().stream().anyMatch(key -> key.startsWith("GNU.sparse"))) {
      throw sparse();
    }
  }

  private static DecodeException sparse() {
    return DecodeException.unsupported(
        "the tar archive has sparse files: write it without --sparse");
  }

  private void finishHeader(TarHeader found) throws DecodeException {
    switch (found.type()) {
      case 'L', 'K', 'x', 'g' -> startExtended(found);
      // links, devices, directories and pipes have no content, whatever their size says
      case '1', '2', '3', '4', '5', '6' -> forgetExtended();
      case '0', '\0', '7' -> addFile(found);
      case 'S' -> throw sparse();
      default ->
          throw DecodeException.unsupported(
              "the tar archive has an entry of type %s"
                  .formatted(DecodeException.quoted(String.valueOf(found.type()))));
    }
  }

  private void startExtended(TarHeader found) throws DecodeException {
    if (found.size() > EXTENDED_BYTES) {
      throw DecodeException.tooLarge(
          "an extended header of the tar archive has %d bytes, read are at most %d"
              .formatted(found.size(), EXTENDED_BYTES));
    }
    extendedType = found.type();
    filling = new byte[(int) found.size()];
    if (filling.length == 0) {
      finishBlock();
    }
  }

  private void addFile(TarHeader found) throws DecodeException {
    String name = pax.getOrDefault("path", longName == null ? found.name() : longName);
    long size = pax.containsKey("size") ? paxSize(pax.get("size")) : found.size();
    forgetExtended();
    if (size > Long.MAX_VALUE - TarHeader.BYTES - position) {
      throw DecodeException.corrupt(
          "the tar archive states an impossible size for " + DecodeException.quoted(name));
    }
    // the seventh edition's tar wrote directories as empty files with a slash
    if (!name.endsWith("/")) {
      if (entries.size() == limits.entries()) {
        throw DecodeException.tooLarge(
            "the tar archive has more than %d files".formatted(limits.entries()));
      }
      entries.add(new TarEntry(name, position, size));
    }
    position = padded(position + size);
  }

  private void forgetExtended() {
    pax = Map.of();
    longName = null;
  }

  private static long paxSize(@Nullable String text) throws DecodeException {
    try {
      long size = Long.parseLong(String.valueOf(text));
      if (size >= 0) {
        return size;
      }
    } catch (NumberFormatException e) {
      // answered below
    }
    throw DecodeException.corrupt(
        "an extended header of the tar archive states the size "
            + DecodeException.quoted(String.format(Locale.ROOT, "%s", text)));
  }

  private static long padded(long length) {
    return (length + TarHeader.BYTES - 1) / TarHeader.BYTES * TarHeader.BYTES;
  }
}
