package io.penstock.arrow.ring;

import io.penstock.arrow.ring.RingException.Reason;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.UUID;

/** The file of a ring before it has its name. */
final class NewFile {
  private static final int PIECE = 1 << 20;

  private NewFile() {}

  static FileChannel open(Path path) throws IOException {
    return FileChannel.open(
        path,
        Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE),
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
  }

  static void fill(FileChannel file, long capacity, int consumers, RingHost host)
      throws IOException {
    try {
      write(file, header(capacity, consumers, host));
      ByteBuffer zeros = ByteBuffer.allocateDirect(PIECE);
      for (long left = capacity; left > 0; left -= PIECE) {
        write(file, zeros.clear().limit((int) Math.min(PIECE, left)));
      }
    } catch (IOException e) {
      throw new RingException(
          Reason.FULL,
          "no room for a ring of %d bytes: %s; take a smaller ring or more shared memory"
              .formatted(capacity, e.getMessage()),
          e);
    }
  }

  private static void write(FileChannel file, ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      file.write(bytes);
    }
  }

  private static ByteBuffer header(long capacity, int consumers, RingHost host) {
    ByteBuffer header = ByteBuffer.allocate((int) RingLayout.DATA).order(ByteOrder.LITTLE_ENDIAN);
    header.putLong((int) RingLayout.OF_MAGIC, RingLayout.MAGIC);
    header.putInt((int) RingLayout.OF_VERSION, RingLayout.VERSION);
    header.putInt((int) RingLayout.OF_DATA, (int) RingLayout.DATA);
    header.putLong((int) RingLayout.OF_CAPACITY, capacity);
    header.putInt((int) RingLayout.OF_SLOTS, RingLayout.SLOTS);
    header.putInt((int) RingLayout.OF_EXPECTED, consumers);
    header.putLong((int) RingLayout.OF_RING, UUID.randomUUID().getMostSignificantBits());
    header.putLong((int) RingLayout.OF_OWNER, host.self().pid());
    header.putLong((int) RingLayout.OF_OWNER + Long.BYTES, host.self().started());
    header.putLong((int) RingLayout.OF_NAMESPACE, ProcessTable.namespace());
    return header;
  }
}
