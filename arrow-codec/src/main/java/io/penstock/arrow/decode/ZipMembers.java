package io.penstock.arrow.decode;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * The members of a zip archive in memory, found by its central directory (PKWARE APPNOTE 6.3, zip64
 * included), and the content of any one of them. Only storing and deflating are known, no
 * encryption, no parts on other disks.
 *
 * <p>Threading: immutable.
 *
 * <p>Ownership: content is a slice of the archive, or memory of the arena it was asked for with.
 */
final class ZipMembers {

  /** One entry of the central directory. */
  record Member(String name, int method, long crc, long packed, long size, long headerAt) {}

  private static final long END = 0x06054b50;
  private static final long END64 = 0x06064b50;
  private static final long LOCATOR64 = 0x07064b50;
  private static final long ENTRY = 0x02014b50;
  private static final long LOCAL = 0x04034b50;
  private static final int END_BYTES = 22;
  private static final int LOCATOR_BYTES = 20;
  private static final int MAX_COMMENT = 0xffff;
  private static final long ALL_ONES = 0xffffffffL;
  private static final int STORED = 0;
  private static final int DEFLATED = 8;

  private final MemorySegment archive;
  private final DecodeLimits limits;
  private final Map<String, Member> members = new LinkedHashMap<>();

  private ZipMembers(MemorySegment archive, DecodeLimits limits) {
    this.archive = archive;
    this.limits = limits;
  }

  static ZipMembers read(MemorySegment archive, DecodeLimits limits) throws DecodeException {
    ZipMembers zip = new ZipMembers(archive, limits);
    zip.readDirectory();
    return zip;
  }

  Map<String, Member> members() {
    return members;
  }

  private void readDirectory() throws DecodeException {
    long end = findEnd();
    ByteCursor cursor = new ByteCursor(archive, end + 10);
    long count = cursor.u16(LITTLE_ENDIAN);
    cursor.skip(Integer.BYTES);
    long at = cursor.u32(LITTLE_ENDIAN);
    Optional<Long> end64 = findEnd64(end);
    if (end64.isPresent()) {
      cursor = cursorAt(end64.get());
      if (cursor.u32(LITTLE_ENDIAN) != END64) {
        throw DecodeException.corrupt("the zip archive has no zip64 end where it says");
      }
      cursor.skip(28);
      count = u64(cursor);
      cursor.skip(Long.BYTES);
      at = u64(cursor);
    }
    if (count > limits.entries()) {
      throw DecodeException.tooLarge(
          "the zip archive has more than %d members".formatted(limits.entries()));
    }
    cursor = cursorAt(at);
    for (long i = 0; i < count; i++) {
      Member member = readEntry(cursor);
      if (members.putIfAbsent(member.name(), member) != null) {
        throw DecodeException.corrupt(
            "the zip archive has two members " + DecodeException.quoted(member.name()));
      }
    }
  }

  private ByteCursor cursorAt(long at) throws DecodeException {
    if (at < 0 || at > archive.byteSize()) {
      throw DecodeException.corrupt("the zip archive points outside of itself");
    }
    return new ByteCursor(archive, at);
  }

  private long findEnd() throws DecodeException {
    ValueLayout.OfInt ints = ValueLayout.JAVA_INT_UNALIGNED.withOrder(LITTLE_ENDIAN);
    long last = archive.byteSize() - END_BYTES;
    for (long at = last; at >= Math.max(0, last - MAX_COMMENT); at--) {
      if (archive.get(ints, at) == (int) END) {
        return at;
      }
    }
    throw DecodeException.truncated("the zip archive has no end record: it is cut off");
  }

  private Optional<Long> findEnd64(long end) throws DecodeException {
    if (end < LOCATOR_BYTES) {
      return Optional.empty();
    }
    ByteCursor cursor = new ByteCursor(archive, end - LOCATOR_BYTES);
    if (cursor.u32(LITTLE_ENDIAN) != LOCATOR64) {
      return Optional.empty();
    }
    cursor.skip(Integer.BYTES);
    return Optional.of(u64(cursor));
  }

  private Member readEntry(ByteCursor cursor) throws DecodeException {
    if (cursor.u32(LITTLE_ENDIAN) != ENTRY) {
      throw DecodeException.corrupt("the zip archive's directory is damaged");
    }
    cursor.skip(4);
    boolean encrypted = (cursor.u16(LITTLE_ENDIAN) & 1) != 0;
    int method = cursor.u16(LITTLE_ENDIAN);
    cursor.skip(Integer.BYTES);
    long crc = cursor.u32(LITTLE_ENDIAN);
    long packed = cursor.u32(LITTLE_ENDIAN);
    long size = cursor.u32(LITTLE_ENDIAN);
    int nameBytes = cursor.u16(LITTLE_ENDIAN);
    int extraBytes = cursor.u16(LITTLE_ENDIAN);
    int commentBytes = cursor.u16(LITTLE_ENDIAN);
    cursor.skip(8);
    long headerAt = cursor.u32(LITTLE_ENDIAN);
    long nameAt = cursor.at();
    cursor.skip(nameBytes);
    String name =
        new String(
            archive.asSlice(nameAt, nameBytes).toArray(ValueLayout.JAVA_BYTE),
            StandardCharsets.UTF_8);
    long extraAt = cursor.at();
    cursor.skip((long) extraBytes + commentBytes);
    if (encrypted) {
      throw DecodeException.unsupported("the zip archive is encrypted");
    }
    var extra = new ByteCursor(archive.asSlice(extraAt, extraBytes), 0);
    return wide(new Member(name, method, crc, packed, size, headerAt), extra);
  }

  /** The member with its 64-bit figures, which stand in an extra field in place of all-ones. */
  private static Member wide(Member member, ByteCursor extra) throws DecodeException {
    while (extra.left() >= 4) {
      int id = extra.u16(LITTLE_ENDIAN);
      int length = extra.u16(LITTLE_ENDIAN);
      if (id == 1) {
        long size = member.size() == ALL_ONES ? u64(extra) : member.size();
        long packed = member.packed() == ALL_ONES ? u64(extra) : member.packed();
        long headerAt = member.headerAt() == ALL_ONES ? u64(extra) : member.headerAt();
        return new Member(member.name(), member.method(), member.crc(), packed, size, headerAt);
      }
      extra.skip(length);
    }
    return member;
  }

  private static long u64(ByteCursor cursor) throws DecodeException {
    long low = cursor.u32(LITTLE_ENDIAN);
    long value = (cursor.u32(LITTLE_ENDIAN) << Integer.SIZE) | low;
    if (value < 0) {
      throw DecodeException.corrupt("the zip archive states a size beyond 2^63");
    }
    return value;
  }

  /** The member's content, its length and checksum verified. */
  MemorySegment content(Member member, Arena arena) throws DecodeException {
    ByteCursor cursor = cursorAt(member.headerAt());
    if (cursor.u32(LITTLE_ENDIAN) != LOCAL) {
      throw DecodeException.corrupt("the zip archive's directory points to no member");
    }
    cursor.skip(22);
    long variable = cursor.u16(LITTLE_ENDIAN) + (long) cursor.u16(LITTLE_ENDIAN);
    cursor.skip(variable);
    long at = cursor.at();
    cursor.skip(member.packed());
    MemorySegment packed = archive.asSlice(at, member.packed());
    limits.checkExpansion(member.size(), member.packed());
    MemorySegment content =
        switch (member.method()) {
          case STORED -> packed;
          case DEFLATED -> inflated(packed, member.size(), arena);
          default ->
              throw DecodeException.unsupported(
                  "zip method %d: store or deflate".formatted(member.method()));
        };
    CRC32 crc = new CRC32();
    crc.update(content.asByteBuffer());
    if (content.byteSize() != member.size() || crc.getValue() != member.crc()) {
      throw DecodeException.corrupt("a member of the zip archive has a wrong length or checksum");
    }
    return content;
  }

  private static MemorySegment inflated(MemorySegment packed, long size, Arena arena)
      throws DecodeException {
    if (size > DecodeLimits.LARGEST_SOURCE) {
      throw DecodeException.tooLarge("a member of %d bytes is not unpacked".formatted(size));
    }
    // one more byte than stated, to see whether there is one
    MemorySegment content = arena.allocate(size + 1, 64);
    try (Inflater inflater = new Inflater(true)) {
      inflater.setInput(packed.asByteBuffer());
      var into = content.asByteBuffer();
      while (!inflater.finished() && into.hasRemaining()) {
        if (inflater.inflate(into) == 0 && (inflater.needsInput() || inflater.needsDictionary())) {
          break;
        }
      }
      if (!inflater.finished() || into.position() != size) {
        throw DecodeException.corrupt("a member of the zip archive does not unpack to its length");
      }
    } catch (DataFormatException e) {
      throw new DecodeException(
          DecodeFault.CORRUPT, "a member of the zip archive does not unpack", e);
    }
    return content.asSlice(0, size);
  }
}
