package io.penstock.gateway.read.cache.disk;

import java.nio.ByteBuffer;
import java.util.List;

/**
 * One version of one object, cut into blocks: everything that a file must agree with before its
 * bytes are used.
 *
 * <p>Threading: immutable.
 */
public final class DiskVersion {
  private final DiskName name;
  private final String etag;
  private final String modified;
  private final long length;
  private final int blockSize;
  private final FileId first;

  /**
   * @param modified Last-Modified as the store says it, or empty; another one is another version
   * @param length bytes of the whole object
   */
  public DiskVersion(DiskName name, String etag, String modified, long length, int blockSize) {
    this.name = name;
    this.etag = etag;
    this.modified = modified;
    this.length = length;
    this.blockSize = blockSize;
    FileId least = name.least();
    String shape = length + "/" + blockSize;
    long version = ByteBuffer.wrap(DiskName.hash(List.of(etag, modified, shape))).getLong();
    this.first = new FileId(least.high(), least.low(), version, 0);
  }

  DiskName name() {
    return name;
  }

  String etag() {
    return etag;
  }

  String modified() {
    return modified;
  }

  long length() {
    return length;
  }

  int blockSize() {
    return blockSize;
  }

  FileId file(int block) {
    return first.withBlock(block);
  }
}
