package io.penstock.arrow.decode;

import static java.nio.ByteOrder.BIG_ENDIAN;
import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * Reads dimensions and Exif orientation of a JPEG (ITU-T T.81, Exif 2.32). Counts the scans of a
 * progressive one: each costs a pass over all pixels, so thousands in a small file are a bomb.
 */
final class JpegHeader {

  private static final int SOS = 0xda;
  private static final int EOI = 0xd9;
  private static final int APP1 = 0xe1;
  private static final int PROGRESSIVE = 0xc2;
  private static final int MAX_SCANS = 100;
  private static final long EXIF = 0x45786966;
  private static final int ORIENTATION = 0x112;
  private static final int MAX_ORIENTATION = 8;
  private static final int TIFF_ENTRY = 12;

  private final MemorySegment bytes;
  private final ByteCursor cursor;
  private int orientation = 1;
  private int width;
  private int height;
  private boolean progressive;

  private JpegHeader(MemorySegment bytes) {
    this.bytes = bytes;
    this.cursor = new ByteCursor(bytes, 2);
  }

  static ImageHeader read(MemorySegment bytes) throws DecodeException {
    return new JpegHeader(bytes).read();
  }

  private ImageHeader read() throws DecodeException {
    int marker = marker();
    while (marker != SOS) {
      if (marker == EOI) {
        throw DecodeException.corrupt("the JPEG ends before its first scan");
      }
      segment(marker);
      marker = marker();
    }
    if (width == 0 || height == 0) {
      throw DecodeException.corrupt("the JPEG has a scan but no dimensions before it");
    }
    if (progressive) {
      countScans();
    }
    return new ImageHeader(ObjectFormat.JPEG, width, height, orientation);
  }

  private int marker() throws DecodeException {
    if (cursor.u8() != 0xff) {
      throw DecodeException.corrupt("the JPEG has no marker at byte " + (cursor.at() - 1));
    }
    int marker = cursor.u8();
    while (marker == 0xff) {
      marker = cursor.u8();
    }
    return marker;
  }

  private void segment(int marker) throws DecodeException {
    boolean alone = marker == 0x01 || (marker >= 0xd0 && marker <= 0xd8);
    if (alone) {
      return;
    }
    int length = cursor.u16(BIG_ENDIAN);
    if (length < 2) {
      throw DecodeException.corrupt("the JPEG has a segment of impossible length");
    }
    long next = cursor.at() + length - 2;
    boolean frame =
        marker >= 0xc0 && marker <= 0xcf && marker != 0xc4 && marker != 0xc8 && marker != 0xcc;
    if (frame) {
      frame(marker);
    } else if (marker == APP1) {
      exif(Math.min(next, bytes.byteSize()));
    }
    cursor.skip(Math.max(0, next - cursor.at()));
  }

  private void frame(int marker) throws DecodeException {
    if (width != 0) {
      throw DecodeException.corrupt("the JPEG has two frames");
    }
    progressive = marker == PROGRESSIVE;
    int bits = cursor.u8();
    if (bits != Byte.SIZE) {
      throw DecodeException.unsupported("the JPEG has %d bits a sample, not 8".formatted(bits));
    }
    height = cursor.u16(BIG_ENDIAN);
    width = cursor.u16(BIG_ENDIAN);
  }

  /** Broken Exif data is no reason to refuse the picture: it stays upright. */
  private void exif(long end) throws DecodeException {
    ByteCursor exif = new ByteCursor(bytes.asSlice(cursor.at(), end - cursor.at()), 0);
    if (exif.left() < 14 || exif.u32(BIG_ENDIAN) != EXIF) {
      return;
    }
    exif.skip(2);
    long tiff = exif.at();
    int mark = exif.u16(BIG_ENDIAN);
    ByteOrder order = mark == 0x4949 ? LITTLE_ENDIAN : BIG_ENDIAN;
    exif.skip(2);
    long directory = exif.u32(order);
    try {
      exif.skip(directory - (exif.at() - tiff));
      int count = exif.u16(order);
      for (int i = 0; i < count && exif.left() >= TIFF_ENTRY; i++) {
        int tag = exif.u16(order);
        exif.skip(2 + 4);
        int value = exif.u16(order);
        exif.skip(2);
        if (tag == ORIENTATION && value >= 1 && value <= MAX_ORIENTATION) {
          orientation = value;
          return;
        }
      }
    } catch (DecodeException e) {
      orientation = 1;
    }
  }

  private void countScans() throws DecodeException {
    int scans = 1;
    for (long at = cursor.at(); at + 1 < bytes.byteSize(); at++) {
      if (bytes.get(ValueLayout.JAVA_BYTE, at) == (byte) 0xff
          && bytes.get(ValueLayout.JAVA_BYTE, at + 1) == (byte) SOS
          && ++scans > MAX_SCANS) {
        throw DecodeException.tooLarge("the JPEG has more than %d scans".formatted(MAX_SCANS));
      }
    }
  }
}
