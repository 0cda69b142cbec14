package io.penstock.arrow.decode;

import static java.nio.ByteOrder.BIG_ENDIAN;
import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.zip.CRC32;

/**
 * Reads the dimensions of PNG (ISO 15948) and WebP (RFC 9649), and checks that the file is as long
 * as its chunks say, and PNG's checksums; {@link JpegHeader} does the same for JPEG. So a bomb is
 * refused before a pixel is allocated, and a truncated file before the library writes of it to the
 * error stream.
 */
final class ImageHeaders {

  private static final int MAGIC_BYTES = 12;
  private static final long PNG_SIGNATURE = 8;
  private static final long IHDR = 0x49484452;
  private static final long IEND = 0x49454e44;
  private static final long RIFF_HEADER = 8;
  private static final int VP8_SIDE = 0x3fff;

  private ImageHeaders() {}

  static ImageHeader read(MemorySegment bytes) throws DecodeException {
    byte[] magic =
        bytes.asSlice(0, Math.min(MAGIC_BYTES, bytes.byteSize())).toArray(ValueLayout.JAVA_BYTE);
    ImageHeader header =
        switch (ObjectFormat.sniff(magic).orElse(ObjectFormat.CSV)) {
          case JPEG -> JpegHeader.read(bytes);
          case PNG -> png(bytes);
          case WEBP -> webp(bytes);
          default -> throw noPicture(magic.length);
        };
    if (header.pixels() <= 0) {
      throw DecodeException.corrupt("the picture has no pixels");
    }
    return header;
  }

  private static DecodeException noPicture(int bytes) {
    return bytes < MAGIC_BYTES
        ? DecodeException.truncated("%d bytes are no picture".formatted(bytes))
        : DecodeException.unsupported("the object is no JPEG, PNG or WebP picture");
  }

  private static ImageHeader png(MemorySegment bytes) throws DecodeException {
    ByteCursor cursor = new ByteCursor(bytes, PNG_SIGNATURE);
    cursor.skip(Integer.BYTES);
    if (cursor.u32(BIG_ENDIAN) != IHDR) {
      throw DecodeException.corrupt("the PNG does not start with its header");
    }
    long width = cursor.u32(BIG_ENDIAN);
    long height = cursor.u32(BIG_ENDIAN);
    if (width > Integer.MAX_VALUE || height > Integer.MAX_VALUE) {
      throw DecodeException.corrupt("the PNG states impossible dimensions");
    }
    checkChunks(bytes);
    return new ImageHeader(ObjectFormat.PNG, (int) width, (int) height, 1);
  }

  /** The library would find the same faults, but tells the error stream of each. */
  private static void checkChunks(MemorySegment bytes) throws DecodeException {
    ByteCursor cursor = new ByteCursor(bytes, PNG_SIGNATURE);
    CRC32 crc = new CRC32();
    long type;
    do {
      long length = cursor.u32(BIG_ENDIAN);
      long at = cursor.at();
      type = cursor.u32(BIG_ENDIAN);
      cursor.skip(length);
      crc.reset();
      crc.update(bytes.asSlice(at, cursor.at() - at).asByteBuffer());
      if (cursor.u32(BIG_ENDIAN) != crc.getValue()) {
        throw DecodeException.corrupt("a chunk of the PNG has a wrong checksum");
      }
    } while (type != IEND);
  }

  private static ImageHeader webp(MemorySegment bytes) throws DecodeException {
    ByteCursor cursor = new ByteCursor(bytes, Integer.BYTES);
    long stated = cursor.u32(LITTLE_ENDIAN);
    if (stated > bytes.byteSize() - RIFF_HEADER) {
      throw DecodeException.truncated(
          "the WebP states %d bytes, there are %d"
              .formatted(stated + RIFF_HEADER, bytes.byteSize()));
    }
    cursor.skip(Integer.BYTES);
    long type = cursor.u32(BIG_ENDIAN);
    cursor.skip(Integer.BYTES);
    return switch ((int) type) {
      case 0x56503820 -> lossy(cursor);
      case 0x5650384c -> lossless(cursor);
      case 0x56503858 -> extended(cursor);
      default -> throw DecodeException.corrupt("the WebP starts with an unknown chunk");
    };
  }

  private static ImageHeader lossy(ByteCursor cursor) throws DecodeException {
    // frame tag and start code
    cursor.skip(3 + 3);
    int width = cursor.u16(LITTLE_ENDIAN) & VP8_SIDE;
    int height = cursor.u16(LITTLE_ENDIAN) & VP8_SIDE;
    return new ImageHeader(ObjectFormat.WEBP, width, height, 1);
  }

  private static ImageHeader lossless(ByteCursor cursor) throws DecodeException {
    cursor.skip(1);
    long bits = cursor.u32(LITTLE_ENDIAN);
    int width = (int) (bits & VP8_SIDE) + 1;
    int height = (int) ((bits >> 14) & VP8_SIDE) + 1;
    return new ImageHeader(ObjectFormat.WEBP, width, height, 1);
  }

  private static ImageHeader extended(ByteCursor cursor) throws DecodeException {
    boolean animated = (cursor.u8() & 2) != 0;
    if (animated) {
      throw DecodeException.unsupported("the WebP is animated: store its frames one by one");
    }
    cursor.skip(3);
    int width = u24(cursor) + 1;
    int height = u24(cursor) + 1;
    return new ImageHeader(ObjectFormat.WEBP, width, height, 1);
  }

  private static int u24(ByteCursor cursor) throws DecodeException {
    return cursor.u16(LITTLE_ENDIAN) | (cursor.u8() << 16);
  }
}
