package io.penstock.config;

import java.util.List;
import java.util.Optional;

/** Frozen networks whose first layers the gateway can apply. */
public record ModelsConfig(
    @Key(
            doc = "The folder that holds the ONNX files.",
            example = "/var/lib/penstock/models",
            pattern = "/.*",
            expected = "a path that begins with /")
        String folder,
    @Key(doc = "The models that requests may name.", min = "1") List<ModelConfig> files,
    @Key(
            doc =
                "What a client is taken to receive in a second, until streams to its tenant have"
                    + " shown it; for split: auto.",
            defaultValue = "120MiB",
            min = "1KiB",
            max = "100GiB")
        ByteSize assumedRate,
    @Key(
            doc =
                "How many compute threads of this gateway a client's training is worth, which cannot"
                    + " be measured from here; for split: auto.",
            defaultValue = "50",
            min = "1",
            max = "1000000")
        int consumerSpeed,
    @Key(
            doc = "Virtual buckets whose objects are the features of another bucket's objects.",
            defaultValue = "[]")
        List<AccessPointConfig> accessPoints) {
  public ModelsConfig {
    files = List.copyOf(files);
    accessPoints = List.copyOf(accessPoints);
  }

  /** A virtual bucket. */
  public record AccessPointConfig(
      @Key(
              doc =
                  "The bucket's name for clients. A bucket of the store with that name is hidden.",
              example = "photos-features",
              pattern = "[A-Za-z0-9][A-Za-z0-9._-]{0,254}",
              expected = "a bucket name")
          String name,
      @Key(
              doc = "The bucket of the store whose objects are computed on.",
              example = "photos",
              pattern = "[A-Za-z0-9][A-Za-z0-9._-]{0,254}",
              expected = "a bucket name")
          String bucket,
      @Key(doc = "The name of one of files.", example = "mobilenet") String model,
      @Key(
              doc = "The cut whose tensor is delivered, or none for decoded pixels.",
              example = "dense_1:0",
              pattern = "(?!auto$)[\\s\\S]+",
              expected =
                  "the name of a cut, or none; only streams can leave the choice to the gateway")
          String split,
      @Key(
              doc = "The form of the objects: npy, or arrow for an Arrow IPC stream of one row.",
              defaultValue = "npy")
          Form format) {}

  /** The form of an object of features. */
  public enum Form {
    NPY,
    ARROW
  }

  /** One network, pinned to the byte, and what it wants to see. */
  public record ModelConfig(
      @Key(
              doc = "What requests call it.",
              example = "mobilenet",
              pattern = Patterns.NAME,
              expected = Patterns.NAME_WORDS)
          String name,
      @Key(doc = "Its ONNX file in the folder.", example = "mobilenet_v2.onnx") String file,
      @Key(
              doc = "SHA-256 of the file. Another file is not used: sha256sum FILE prints it.",
              pattern = "[0-9a-f]{64}",
              expected = "64 digits 0 to 9 and a to f",
              example = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
          String sha256,
      @Key(
              doc =
                  "Pictures are resized until their shorter side has so many pixels and then cut in"
                      + " the middle; left out, they are stretched. For requests that do not say how"
                      + " to decode.",
              example = "256",
              min = "1",
              max = "32768")
          Optional<Integer> shorterSide,
      @Key(
              doc =
                  "How pixels become numbers, for requests that do not say: none (0 to 255), unit (0"
                      + " to 1), imagenet (ImageNet's mean and deviation).",
              defaultValue = "unit")
          Normalise normalise) {}

  /** How pixels become numbers. */
  public enum Normalise {
    NONE,
    UNIT,
    IMAGENET
  }
}
