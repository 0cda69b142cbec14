package io.penstock.arrow.decode;

import io.penstock.arrow.tensor.TensorSpec;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.Optional;

/**
 * {@code npy}, {@code npz} and {@code safetensors} into a tensor: form checked, bytes copied once.
 *
 * <p>Threading: any number of threads.
 *
 * <p>Ownership: a member of an {@code npz} is unpacked into memory that is freed before the call
 * returns, and that is never more than the sample and a header.
 */
final class ArrayDecoder implements TensorDecoder {

  private static final String NPY_SUFFIX = ".npy";

  private final ArraySpec spec;
  private final DecodeLimits limits;

  ArrayDecoder(ArraySpec spec, DecodeLimits limits) {
    this.spec = spec;
    this.limits = limits;
  }

  @Override
  public TensorSpec tensor() {
    return spec.tensor();
  }

  @Override
  public void decode(ObjectBytes source, long item, MemorySegment destination)
      throws DecodeException {
    TensorDecoder.checkDestination(spec.tensor(), destination);
    limits.checkSource(source.size());
    ObjectFormat format = format(source.head(0, ObjectFormat.SNIFFED_BYTES));
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment bytes = source.joined(arena);
      switch (format) {
        case NPY -> npy(bytes, destination);
        case NPZ -> npz(bytes, arena, destination);
        default -> safetensors(bytes, destination);
      }
    }
  }

  private ObjectFormat format(byte[] head) throws DecodeException {
    if (spec.format().isPresent()) {
      return spec.format().get();
    }
    Optional<ObjectFormat> found = ObjectFormat.sniff(head);
    return switch (found.orElse(ObjectFormat.CSV)) {
      case NPY, NPZ, SAFETENSORS -> found.get();
      default -> throw DecodeException.unsupported("the object is no npy, npz or safetensors file");
    };
  }

  private void npy(MemorySegment bytes, MemorySegment destination) throws DecodeException {
    NpyHeader header = NpyHeader.read(bytes);
    write(header.array(), bytes.asSlice(header.contentAt()), destination);
  }

  private void npz(MemorySegment bytes, Arena arena, MemorySegment destination)
      throws DecodeException {
    ZipMembers zip = ZipMembers.read(bytes, limits);
    ZipMembers.Member member =
        chosen(zip.members(), spec.member().map(name -> name + NPY_SUFFIX), "npz member");
    // whatever is longer is no such array, and need not be unpacked to see that
    if (member.size() > destination.byteSize() + NpyHeader.MAX_BYTES) {
      throw DecodeException.mismatch(
          "the npz member has %d bytes, the sample %d"
              .formatted(member.size(), destination.byteSize()));
    }
    npy(zip.content(member, arena), destination);
  }

  private void safetensors(MemorySegment bytes, MemorySegment destination) throws DecodeException {
    SafetensorsHeader header = SafetensorsHeader.read(bytes, limits);
    SafetensorsHeader.Tensor tensor = chosen(header.tensors(), spec.member(), "tensor");
    MemorySegment content =
        bytes.asSlice(header.contentAt() + tensor.from(), tensor.to() - tensor.from());
    write(tensor.array(), content, destination);
  }

  private void write(StoredArray array, MemorySegment content, MemorySegment destination)
      throws DecodeException {
    array.check(spec.tensor());
    long bytes = array.bytes();
    if (content.byteSize() < bytes) {
      throw DecodeException.truncated(
          "the array has %d of %d bytes".formatted(content.byteSize(), bytes));
    }
    if (content.byteSize() > bytes) {
      throw DecodeException.corrupt("bytes follow the array");
    }
    array.write(content, destination);
  }

  private static <T> T chosen(Map<String, T> all, Optional<String> name, String what)
      throws DecodeException {
    if (name.isEmpty() && all.size() != 1) {
      throw DecodeException.missing(
          "there are %d of them: name the %s in the decode spec".formatted(all.size(), what));
    }
    String key = name.orElseGet(() -> all.keySet().iterator().next());
    T found = all.get(key);
    if (found == null) {
      throw DecodeException.missing(
          "there is no %s %s".formatted(what, DecodeException.quoted(key)));
    }
    return found;
  }
}
