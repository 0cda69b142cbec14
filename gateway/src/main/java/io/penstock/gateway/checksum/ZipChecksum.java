package io.penstock.gateway.checksum;

import java.nio.ByteBuffer;

/** The 32-bit checksums of the JDK, which read direct buffers in place. */
final class ZipChecksum extends Checksum {
  private final java.util.zip.Checksum checksum;

  ZipChecksum(java.util.zip.Checksum checksum) {
    this.checksum = checksum;
  }

  @Override
  public void update(ByteBuffer bytes) {
    checksum.update(bytes);
  }

  @Override
  public byte[] value() {
    return ByteBuffer.allocate(Integer.BYTES).putInt((int) checksum.getValue()).array();
  }
}
