package io.penstock.arrow.ipc;

/**
 * What a reader allocates at most on a stranger's word.
 *
 * @param metadata bytes of one message's metadata
 * @param body bytes of one batch, as sent and again when decompressed
 * @param fields fields of the schema, nested ones included
 */
public record ReadLimits(int metadata, long body, int fields) {
  /** 1 MiB of metadata, 2 GiB of body, 2,000 fields. */
  public static final ReadLimits DEFAULT = new ReadLimits(1 << 20, 2L << 30, 2000);
}
