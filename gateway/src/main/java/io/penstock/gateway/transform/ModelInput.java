package io.penstock.gateway.transform;

import io.penstock.arrow.decode.DecodeLimits;
import io.penstock.arrow.decode.DecodeSpec;
import io.penstock.arrow.decode.Decoders;
import io.penstock.arrow.decode.Framing;
import io.penstock.arrow.decode.ImageSpec;
import io.penstock.arrow.decode.TableSpec;
import io.penstock.arrow.decode.TensorDecoder;
import io.penstock.arrow.tensor.TensorSpec;
import io.penstock.arrow.wire.DecodeOptions;
import io.penstock.arrow.wire.DecodeRequest;
import io.penstock.arrow.wire.OptionValue;
import io.penstock.config.ModelsConfig.ModelConfig;
import io.penstock.config.ModelsConfig.Normalise;
import io.penstock.gateway.s3.S3Error;
import io.penstock.gateway.s3.S3Exception;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.SequencedMap;

/** How objects become what a model wants to see. */
final class ModelInput {
  private static final int COLOURS = 3;

  private ModelInput() {}

  /**
   * What is decoded: as the request says, else as the model is configured.
   *
   * @throws S3Exception InvalidArgument if the model's input is no picture of three colours
   */
  static DecodeRequest decode(DecodeRequest asked, ModelConfig model, TensorSpec input) {
    if (!asked.isRaw()) {
      return asked;
    }
    List<Integer> shape = input.shape();
    boolean planes = shape.size() == 3 && shape.getFirst() == COLOURS;
    boolean pixels = shape.size() == 3 && shape.getLast() == COLOURS;
    if (!planes && !pixels) {
      throw new S3Exception(
          S3Error.INVALID_ARGUMENT,
          "/decode: the model %s sees samples of %s %s, which are no pictures: say how to decode."
              .formatted(model.name(), input.dtype().text(), shape));
    }
    SequencedMap<String, OptionValue> options = new LinkedHashMap<>();
    options.put("height", new OptionValue.Whole(shape.get(planes ? 1 : 0)));
    options.put("width", new OptionValue.Whole(shape.get(planes ? 2 : 1)));
    options.put("dtype", new OptionValue.Text(input.dtype().text()));
    options.put("layout", new OptionValue.Text(planes ? "nchw" : "nhwc"));
    model.shorterSide().ifPresent(side -> options.put("crop", crop(side)));
    // whole numbers have no other scale than their own
    if (model.normalise() != Normalise.NONE) {
      options.put(
          "normalise", new OptionValue.Text(model.normalise().name().toLowerCase(Locale.ROOT)));
    }
    return new DecodeRequest("image", new OptionValue.Fields(options));
  }

  private static OptionValue crop(int side) {
    SequencedMap<String, OptionValue> crop = new LinkedHashMap<>();
    crop.put("how", new OptionValue.Text("centre"));
    crop.put("shorter-side", new OptionValue.Whole(side));
    return new OptionValue.Fields(crop);
  }

  /** Whether the lot decides what an item becomes, so that it is another one in each epoch. */
  static boolean isRandom(DecodeRequest request) {
    return DecodeOptions.spec(request)
        .filter(
            spec ->
                spec instanceof ImageSpec image
                    && (image.augmentation().flip() > 0
                        || image.framing() instanceof Framing.RandomResizedCrop
                        || (image.framing() instanceof Framing.ResizeThenCrop crop
                            && crop.random())))
        .isPresent();
  }

  /**
   * A decoder whose samples the model takes.
   *
   * @throws S3Exception InvalidArgument if it does not
   */
  static TensorDecoder decoder(
      DecodeRequest request, DecodeLimits limits, String model, TensorSpec input) {
    DecodeSpec spec;
    try {
      spec = DecodeOptions.spec(request).orElseThrow();
    } catch (IllegalArgumentException e) {
      throw new S3Exception(S3Error.INVALID_ARGUMENT, String.valueOf(e.getMessage()));
    }
    if (spec instanceof TableSpec) {
      throw new S3Exception(
          S3Error.INVALID_ARGUMENT, "/decode: a model sees tensors, no tables: decode to tensors.");
    }
    TensorDecoder decoder = Decoders.tensors(spec, limits);
    TensorSpec made = decoder.tensor();
    if (made.dtype() != input.dtype() || !made.shape().equals(input.shape())) {
      throw new S3Exception(
          S3Error.INVALID_ARGUMENT,
          "/decode: the model %s sees samples of %s %s, these would be %s %s."
              .formatted(
                  model, input.dtype().text(), input.shape(), made.dtype().text(), made.shape()));
    }
    return decoder;
  }
}
