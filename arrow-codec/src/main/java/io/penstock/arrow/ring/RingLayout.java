package io.penstock.arrow.ring;

/** Where things lie in the file of a ring: docs/ring-format.md, version 1. */
final class RingLayout {
  /** {@code PNSTRING} in ASCII, read as a little-endian number. */
  static final long MAGIC = 0x474E_4952_5453_4E50L;

  static final int VERSION = 1;

  // written once, by the owner
  static final long OF_MAGIC = 0;
  static final long OF_VERSION = 8;
  static final long OF_DATA = 12;
  static final long OF_CAPACITY = 16;
  static final long OF_SLOTS = 24;
  static final long OF_EXPECTED = 28;
  static final long OF_RING = 32;
  static final long OF_OWNER = 40;
  static final long OF_NAMESPACE = 56;

  // by a producer that begins or ends; CLOSED by the owner; JOINED under the file's lock
  static final long OF_PRODUCER = 64;
  static final long OF_STREAM = 80;
  static final long OF_STATE = 88;
  static final long OF_CLOSED = 92;
  static final long OF_JOINED = 96;

  // by the producer with every record
  static final long OF_HEAD = 128;
  static final long OF_RECORDS = 136;
  static final long OF_BATCHES = 144;
  static final long OF_TAIL = 152;
  static final long OF_PUBLISHED = 160;

  // once, by the first producer, before its first record
  static final long OF_SCHEMA_BYTES = 168;

  // by consumers, and the flag by the producer
  static final long OF_RELEASED = 192;
  static final long OF_PRODUCER_WAITS = 196;

  static final long FIRST_SLOT = 256;
  static final long SLOT = 64;
  static final int SLOTS = 60;
  static final long SCHEMA = 4096;
  static final long DATA = 65536;

  // within a slot: by its consumer, but CUT by the producer
  static final long SLOT_PROCESS = 0;
  static final long SLOT_TICKET = 16;
  static final long SLOT_CURSOR = 24;
  static final long SLOT_SEEN = 32;
  static final long SLOT_CUT = 40;

  /** The head of a record, before its message. */
  static final long RECORD = 64;

  static final long RECORD_KIND = 0;
  static final long RECORD_BYTES = 8;
  static final long RECORD_SEQUENCE = 16;
  static final long RECORD_POSITION = 24;
  static final long RECORD_BATCH = 32;
  static final long RECORD_STREAM = 40;

  // states of the stream
  static final int WAITING = 0;
  static final int WRITING = 1;
  static final int OVER = 2;
  static final int ABANDONED = 3;

  private RingLayout() {}

  static long slot(int number) {
    return FIRST_SLOT + number * SLOT;
  }

  static long padded(long bytes) {
    return (bytes + RECORD - 1) & -RECORD;
  }
}
