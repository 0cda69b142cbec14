package io.penstock.arrow.wire;

import io.penstock.arrow.decode.ArraySpec;
import io.penstock.arrow.decode.Augmentation;
import io.penstock.arrow.decode.DecodeSpec;
import io.penstock.arrow.decode.Framing;
import io.penstock.arrow.decode.ImageSpec;
import io.penstock.arrow.decode.Interpolation;
import io.penstock.arrow.decode.Normalisation;
import io.penstock.arrow.decode.ObjectFormat;
import io.penstock.arrow.tensor.DType;
import io.penstock.arrow.tensor.Layout;
import io.penstock.arrow.tensor.TensorSpec;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SequencedMap;

/** The options of a request's {@code decode}, as the decoders want them. */
public final class DecodeOptions {
  private static final int LARGEST_SIDE = 1 << 15;
  private static final SequencedMap<String, Interpolation> INTERPOLATIONS =
      words("area", Interpolation.AREA, "bilinear", Interpolation.BILINEAR);
  private static final SequencedMap<String, Layout> LAYOUTS =
      words("nchw", Layout.NCHW, "nhwc", Layout.NHWC);
  private static final SequencedMap<String, ObjectFormat> FORMATS =
      words("npy", ObjectFormat.NPY, "npz", ObjectFormat.NPZ);

  static {
    INTERPOLATIONS.put("bicubic", Interpolation.BICUBIC);
    FORMATS.put("safetensors", ObjectFormat.SAFETENSORS);
  }

  private final OptionReader options;

  private DecodeOptions(OptionReader options) {
    this.options = options;
  }

  /**
   * What a request that was accepted wants decoded; nothing if it wants the bytes as they are.
   *
   * @throws IllegalArgumentException if there is no such decoder or option, which {@link
   *     BatchRequestReader} has refused before
   */
  public static Optional<DecodeSpec> spec(DecodeRequest request) {
    try {
      return checked(request);
    } catch (RequestException e) {
      throw new IllegalArgumentException(e.problem().text(), e);
    }
  }

  static Optional<DecodeSpec> checked(DecodeRequest request) throws RequestException {
    if (request.isRaw()) {
      return Optional.empty();
    }
    OptionReader options = new OptionReader("/decode", request.options());
    DecodeOptions reader = new DecodeOptions(options);
    try {
      DecodeSpec spec =
          switch (request.as()) {
            case "image" -> reader.image();
            case "array" -> reader.array();
            case "csv" -> new TableOptions(options).csv();
            case "json-lines" -> new TableOptions(options).jsonLines();
            case "parquet" -> new TableOptions(options).parquet();
            default ->
                throw options.problem(
                    ("there is no decoder \"%s\"; \"as\" is one of \"raw\", \"image\", \"array\", \"csv\","
                            + " \"json-lines\", \"parquet\"")
                        .formatted(request.as()));
          };
      options.done();
      return Optional.of(spec);
    } catch (IllegalArgumentException e) {
      throw options.problem(String.valueOf(e.getMessage()));
    }
  }

  private ImageSpec image() throws RequestException {
    int height = options.whole("height", 1, LARGEST_SIDE, OptionalInt.empty());
    int width = options.whole("width", 1, LARGEST_SIDE, OptionalInt.empty());
    int channels = options.whole("channels", 1, 3, OptionalInt.of(3));
    DType dtype = options.choice("dtype", dtypes()).orElse(DType.UINT8);
    Layout layout = options.choice("layout", LAYOUTS).orElse(Layout.NCHW);
    TensorSpec tensor =
        layout == Layout.NCHW
            ? TensorSpec.nchw(dtype, channels, height, width)
            : TensorSpec.nhwc(dtype, height, width, channels);
    return new ImageSpec(
        tensor,
        framing(),
        options.choice("interpolation", INTERPOLATIONS).orElse(Interpolation.AREA),
        normalisation(dtype),
        new Augmentation(options.number("seed", 0), options.real("flip", 0)),
        options.flag("upright", false));
  }

  private Framing framing() throws RequestException {
    Optional<OptionReader> given = options.inner("crop");
    if (given.isEmpty()) {
      options.choice("crop", words("none", "none"));
      return new Framing.Stretch();
    }
    OptionReader crop = given.get();
    SequencedMap<String, String> hows = words("centre", "centre", "random", "random");
    hows.put("random-resized", "random-resized");
    String how = crop.choice("how", hows).orElseThrow(() -> crop.problem("\"how\" is missing"));
    Framing framing;
    if (how.equals("random-resized")) {
      framing =
          new Framing.RandomResizedCrop(
              crop.real("min-area", 0.08),
              crop.real("max-area", 1),
              crop.real("min-ratio", 3 / 4.0),
              crop.real("max-ratio", 4 / 3.0));
    } else {
      int side = crop.whole("shorter-side", 1, LARGEST_SIDE, OptionalInt.empty());
      framing = new Framing.ResizeThenCrop(side, how.equals("random"));
    }
    crop.done();
    return framing;
  }

  private Normalisation normalisation(DType dtype) throws RequestException {
    Normalisation usual = dtype == DType.UINT8 ? Normalisation.NONE : Normalisation.UNIT;
    Optional<OptionReader> given = options.inner("normalise");
    if (given.isPresent()) {
      OptionReader numbers = given.get();
      Normalisation normalisation =
          new Normalisation(
              numbers.real("scale", 1 / 255.0),
              numbers.reals("mean", List.of(0.0)),
              numbers.reals("deviation", List.of(1.0)));
      numbers.done();
      return normalisation;
    }
    SequencedMap<String, Normalisation> names =
        words("none", Normalisation.NONE, "unit", Normalisation.UNIT);
    names.put("imagenet", Normalisation.IMAGENET);
    return options.choice("normalise", names).orElse(usual);
  }

  private ArraySpec array() throws RequestException {
    List<Integer> shape = options.wholes("shape");
    DType dtype =
        options
            .choice("dtype", dtypes())
            .orElseThrow(() -> options.problem("\"dtype\" is missing"));
    SequencedMap<String, Layout> layouts = words("plain", Layout.PLAIN);
    layouts.putAll(LAYOUTS);
    Layout layout = options.choice("layout", layouts).orElse(Layout.PLAIN);
    return new ArraySpec(
        new TensorSpec(dtype, shape, layout),
        options.text("member"),
        options.choice("format", FORMATS));
  }

  private static SequencedMap<String, DType> dtypes() {
    SequencedMap<String, DType> types = new LinkedHashMap<>();
    for (DType type : DType.values()) {
      types.put(type.text(), type);
    }
    return types;
  }

  private static <T> SequencedMap<String, T> words(String word, T value) {
    SequencedMap<String, T> words = new LinkedHashMap<>();
    words.put(word, value);
    return words;
  }

  private static <T> SequencedMap<String, T> words(String first, T one, String second, T other) {
    SequencedMap<String, T> words = words(first, one);
    words.put(second, other);
    return words;
  }
}
