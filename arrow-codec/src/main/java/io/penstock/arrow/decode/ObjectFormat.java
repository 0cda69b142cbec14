package io.penstock.arrow.decode;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Formats that can be decoded, and how each is told: by first bytes, media type or name. */
public enum ObjectFormat {
  JPEG("image/jpeg", "jpg jpeg"),
  PNG("image/png", "png"),
  WEBP("image/webp", "webp"),
  NPY("application/x-npy", "npy"),
  NPZ("application/x-npz", "npz"),
  SAFETENSORS("application/x-safetensors", "safetensors"),
  CSV("text/csv", "csv"),
  JSON_LINES("application/jsonl application/x-ndjson application/x-jsonlines", "jsonl ndjson"),
  PARQUET("application/vnd.apache.parquet", "parquet"),
  TAR("application/x-tar", "tar");

  /** So many first bytes tell every format that they can tell. */
  public static final int SNIFFED_BYTES = 512;

  private static final int TAR_MAGIC_AT = 257;
  private static final int SAFETENSORS_JSON_AT = 8;

  /** Separated by blanks, as the suffixes are. */
  private final String mediaTypes;

  private final String suffixes;

  ObjectFormat(String mediaTypes, String suffixes) {
    this.mediaTypes = mediaTypes;
    this.suffixes = suffixes;
  }

  /**
   * The format that the first bytes tell; CSV and JSON lines look like any text and are never told
   * so.
   *
   * @param head up to {@value #SNIFFED_BYTES} bytes
   */
  public static Optional<ObjectFormat> sniff(byte[] head) {
    if (starts(head, 0, 0xff, 0xd8, 0xff)) {
      return Optional.of(JPEG);
    }
    if (starts(head, 0, 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n')) {
      return Optional.of(PNG);
    }
    if (starts(head, 0, 'R', 'I', 'F', 'F') && starts(head, 8, 'W', 'E', 'B', 'P')) {
      return Optional.of(WEBP);
    }
    if (starts(head, 0, 0x93, 'N', 'U', 'M', 'P', 'Y')) {
      return Optional.of(NPY);
    }
    if (starts(head, 0, 'P', 'K', 3, 4)) {
      return Optional.of(NPZ);
    }
    if (starts(head, 0, 'P', 'A', 'R', '1')) {
      return Optional.of(PARQUET);
    }
    if (starts(head, TAR_MAGIC_AT, 'u', 's', 't', 'a', 'r')) {
      return Optional.of(TAR);
    }
    // a length below 2^32, then JSON
    if (starts(head, Integer.BYTES, 0, 0, 0, 0) && starts(head, SAFETENSORS_JSON_AT, '{')) {
      return Optional.of(SAFETENSORS);
    }
    return Optional.empty();
  }

  /** The format of a {@code Content-Type}; its parameters do not matter. */
  public static Optional<ObjectFormat> ofMediaType(String contentType) {
    String type = contentType.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
    return Arrays.stream(values())
        .filter(format -> words(format.mediaTypes).contains(type))
        .findFirst();
  }

  /** The format that a key's last suffix names. */
  public static Optional<ObjectFormat> ofName(String key) {
    String suffix = key.substring(key.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
    return Arrays.stream(values())
        .filter(format -> words(format.suffixes).contains(suffix))
        .findFirst();
  }

  private static List<String> words(String text) {
    return List.of(text.split(" ", -1));
  }

  private static boolean starts(byte[] head, int at, int... magic) {
    if (head.length < at + magic.length) {
      return false;
    }
    for (int i = 0; i < magic.length; i++) {
      if ((head[at + i] & 0xff) != magic[i]) {
        return false;
      }
    }
    return true;
  }
}
