package io.penstock.arrow.decode;

import io.penstock.arrow.tensor.TensorSpec;
import java.util.Optional;

/**
 * Arrays that are stored as such, in {@code npy}, {@code npz} or {@code safetensors}. Shape and
 * type must be the stored ones; nothing is converted but the byte order, {@code bool} to {@code
 * uint8} and {@code bfloat16} to {@code float32}.
 *
 * @param member name in the {@code npz} (without {@code .npy}) or of the tensor; may be left out
 *     where there is just one
 * @param format if it shall not be told by the first bytes
 */
public record ArraySpec(TensorSpec tensor, Optional<String> member, Optional<ObjectFormat> format)
    implements DecodeSpec {

  public ArraySpec {
    format.ifPresent(
        forced -> {
          if (forced != ObjectFormat.NPY
              && forced != ObjectFormat.NPZ
              && forced != ObjectFormat.SAFETENSORS) {
            throw new IllegalArgumentException(
                "arrays are stored as npy, npz or safetensors, not " + forced);
          }
        });
  }

  public static ArraySpec of(TensorSpec tensor) {
    return new ArraySpec(tensor, Optional.empty(), Optional.empty());
  }

  public ArraySpec withMember(String name) {
    return new ArraySpec(tensor, Optional.of(name), format);
  }

  public ArraySpec withFormat(ObjectFormat forced) {
    return new ArraySpec(tensor, member, Optional.of(forced));
  }
}
