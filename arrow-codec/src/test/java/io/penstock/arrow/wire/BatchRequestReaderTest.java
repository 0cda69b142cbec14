package io.penstock.arrow.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.arrow.epoch.EpochSpec;
import io.penstock.arrow.ipc.Compression;
import io.penstock.arrow.tensor.TensorField;
import io.penstock.arrow.wire.RequestResult.Accepted;
import io.penstock.arrow.wire.RequestResult.Rejected;
import io.penstock.arrow.wire.RequestResult.RequestProblem;
import io.penstock.arrow.wire.RequestResult.RequestProblem.Kind;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BatchRequestReaderTest {
  private static final String HEAD = "{\"version\":1,\"bucket\":\"b\",";

  @Test
  void readsEveryField() throws IOException {
    BatchRequest request =
        accepted(
            """
            {
              "version": 1,
              "bucket": "pictures",
              "items": [
                "plain.jpg",
                {"key": "part.bin", "version-id": "v1", "range": {"offset": 10, "length": 20}},
                {"key": "shard.tar", "member": "a/b.jpg", "label": 7}
              ],
              "decode": {"as": "image", "height": 224, "width": 224,
                         "crop": {"how": "centre", "shorter-side": 256}, "upright": true},
              "batch-size": 32,
              "order": "as-ready",
              "on-error": "fail",
              "compression": "zstd",
              "tensors": "list",
              "epoch": {"seed": -3, "number": 2, "rank": 1, "world-size": 4, "tail": "drop",
                        "resume-at": 9},
              "transform": {"model": "mobilenet", "split": "block-5"},
              "landing": {"ring": "trainer"}
            }
            """);
    assertThat(request.bucket()).isEqualTo("pictures");
    ItemList items = ((ItemSource.Listed) request.source()).items();
    assertThat(items.size()).isEqualTo(3);
    assertThat(items.get(0)).isEqualTo(Item.of("plain.jpg"));
    assertThat(items.get(1))
        .isEqualTo(
            new Item(
                "part.bin",
                Optional.of("v1"),
                Optional.of(new Item.Range(10, 20)),
                Optional.empty(),
                Label.NONE));
    assertThat(items.get(2))
        .isEqualTo(
            new Item(
                "shard.tar",
                Optional.empty(),
                Optional.empty(),
                Optional.of("a/b.jpg"),
                new Label.Whole(7)));
    assertThat(request.decode().as()).isEqualTo("image");
    assertThat(request.decode().options().values().keySet())
        .containsExactly("height", "width", "crop", "upright");
    assertThat(request.delivery())
        .isEqualTo(
            new Delivery(
                32,
                Delivery.Order.AS_READY,
                Delivery.OnError.FAIL,
                Compression.ZSTD,
                TensorField.Form.LIST,
                new Delivery.Landing.Ring("trainer")));
    assertThat(request.epoch())
        .contains(
            new EpochSpec(
                new EpochSpec.Shuffled(-3, 2), new EpochSpec.Share(1, 4), EpochSpec.Tail.DROP, 9));
    assertThat(request.transform()).contains(new TransformRequest("mobilenet", "block-5"));
  }

  @Test
  void theLeastRequestHasTheDefaultsOfTheProtocol() throws IOException {
    BatchRequest request = accepted(HEAD + "\"prefix\":\"\"}");
    assertThat(request.source()).isEqualTo(new ItemSource.Prefix(""));
    assertThat(request.decode().isRaw()).isTrue();
    assertThat(request.delivery())
        .isEqualTo(
            new Delivery(
                256,
                Delivery.Order.STRICT,
                Delivery.OnError.CONTINUE,
                Compression.NONE,
                TensorField.Form.EXTENSION,
                new Delivery.Landing.Response()));
    assertThat(request.epoch()).isEmpty();
    assertThat(request.transform()).isEmpty();
  }

  @Test
  void readsManifestsByNameAndByVersion() throws IOException {
    assertThat(accepted(HEAD + "\"manifest\":\"m.jsonl\"}").source())
        .isEqualTo(new ItemSource.Manifest("m.jsonl", Optional.empty()));
    assertThat(accepted(HEAD + "\"manifest\":{\"key\":\"m\",\"version-id\":\"3\"}}").source())
        .isEqualTo(new ItemSource.Manifest("m", Optional.of("3")));
  }

  /** Each problem names its place and says what may be written there. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          "items":[],"bach-size":1}            | /bach-size     | those that may stand here are "version"
          "items":[],"batch-size":0}           | /batch-size    | a whole number from 1 to 65536
          "items":[],"batch-size":1.5}         | /batch-size    | a whole number from 1 to 65536
          "items":[],"batch-size":99999999999999999999} | /batch-size | a whole number
          "items":[],"order":"random"}         | /order         | one of "strict", "as-ready"
          "items":[],"compression":null}       | /compression   | one of "none", "lz4", "zstd"
          "items":[""]}                        | /items/0       | an empty text
          "items":["a",7]}                     | /items/1       | a key in quotes
          "items":["a",{"member":"x"}]}        | /items/1       | has no "key"
          "items":[{"key":"a","color":"x"}]}   | /items/0/color | "key", "version-id", "range"
          "items":[{"key":"a","range":{"offset":1}}]} | /items/0/range | an "offset" and a "length"
          "items":[{"key":"a","range":{"offset":1,"length":0}}]} | /items/0/range/length | from 1
          "items":[{"key":"a","range":{"offset":0,"length":1},"member":"m"}]} | /items/0 | not both
          "items":[{"key":"a","label":1},{"key":"b","label":"x"}]} | /items/1 | all numbers or all text
          "items":[{"key":"a","label":true}]}  | /items/0/label | a number or a text
          "items":["\\ud800"]}                 | /items/0       | both halves
          "items":[],"prefix":"a"}             | /prefix        | not from two
          "items":"a"}                         | /items         | an array
          "prefix":"a","decode":{"height":1}}  | /decode        | has no "as"
          "prefix":"a","decode":{"as":"raw","height":1}} | /decode | no options
          "prefix":"a","decode":{"as":"image","height":null}} | /decode/height | leave the field out
          "prefix":"a","decode":"jpeg"}        | /decode        | is one of "raw", "image", "array"
          "prefix":"a","decode":{"as":"image","height":1}} | /decode | "width" is missing
          "prefix":"a","decode":{"as":"image","height":0,"width":1}} | /decode/height | from 1
          "prefix":"a","decode":{"as":"image","height":1,"width":1,"crop":{"how":"x"}}} | /decode/crop/how | one of "centre", "random"
          "prefix":"a","decode":{"as":"image","height":1,"width":1,"hight":1}} | /decode/hight | no such option
          "prefix":"a","epoch":{}}             | /epoch         | has a "seed"
          "prefix":"a","epoch":{"seed":1,"rank":2,"world-size":2}} | /epoch | ranks are 0 to 1
          "prefix":"a","transform":{}}         | /transform     | no "model"
          "prefix":"a","landing":"moon"}       | /landing       | "response"
          "prefix":"a","landing":{}}           | /landing       | a "ring"
          "prefix":"a","version":2}            | ``             | Duplicate field 'version'
          "prefix":"a"                         | ``             | no JSON
          "prefix":"a"}}                       | ``             | no JSON
          "prefix":"a"} {}                     | ``             | something follows
          "prefix":"a",}                       | ``             | no JSON
          """)
  void saysWhatIsWrongAndWhere(String rest, String path, String message) throws IOException {
    RequestProblem problem = rejected(HEAD + "\n" + rest);
    assertThat(problem.message()).contains(message);
    if (!path.isEmpty()) {
      assertThat(problem.path()).isEqualTo(path);
    }
    assertThat(problem.line()).hasValue(2);
    assertThat(problem.text()).contains("line 2: ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "null", "[]", "7", "\"x\"", "{}", "\u0000\u0000\u0000{"})
  void refusesWhatIsNoRequest(String text) throws IOException {
    assertThat(rejected(text).message()).isNotBlank();
  }

  @Test
  void saysWhatIsMissing() throws IOException {
    assertThat(rejected("{\"bucket\":\"b\",\"prefix\":\"\"}").message()).contains("\"version\": 1");
    assertThat(rejected("{\"version\":1,\"prefix\":\"\"}").message()).contains("\"bucket\"");
    assertThat(rejected("{\"version\":1,\"bucket\":\"b\"}").message()).contains("\"manifest\"");
    assertThat(rejected("{\"version\":2}").message()).contains("version 1 only");
  }

  @Test
  void refusesMoreThanTheLimits() throws IOException {
    String items =
        IntStream.range(0, 11).mapToObj(i -> "\"k" + i + "\"").collect(Collectors.joining(","));
    String text = HEAD + "\"items\":[" + items + "]}";
    assertThat(rejected(text, new RequestLimits(1 << 20, 10, 100)))
        .satisfies(
            problem -> {
              assertThat(problem.kind()).isEqualTo(Kind.TOO_LARGE);
              assertThat(problem.message()).contains("more than 10 items");
            });
    assertThat(rejected(text, new RequestLimits(50, 100, 100)))
        .satisfies(
            problem -> {
              assertThat(problem.kind()).isEqualTo(Kind.TOO_LARGE);
              assertThat(problem.message()).contains("at most 50 bytes");
            });
    RequestLimits exact = new RequestLimits(text.length(), 11, 100);
    assertThat(read(text, exact)).isInstanceOf(Accepted.class);
    assertThat(rejected(HEAD + "\"prefix\":\"" + "x".repeat(1025) + "\"}").message())
        .contains("1024 bytes");
    assertThat(rejected(HEAD + "\"prefix\":\"" + "x".repeat(20_000) + "\"}").kind())
        .isIn(Kind.TOO_LARGE, Kind.MEANING);
    assertThat(rejected(HEAD + "\"decode\":{\"as\":\"x\",\"a\":" + "[".repeat(5000)).kind())
        .isEqualTo(Kind.TOO_LARGE);
  }

  @Test
  void aMillionItemsTakeLittleMoreThanTheirBytes() throws IOException {
    StringBuilder text = new StringBuilder(HEAD).append("\"items\":[");
    for (int i = 0; i < 1_000_000; i++) {
      text.append(i == 0 ? "" : ",").append('"').append(i).append('"');
    }
    ItemList items = ((ItemSource.Listed) accepted(text.append("]}").toString()).source()).items();
    assertThat(items.size()).isEqualTo(1_000_000);
    assertThat(items.get(999_999)).isEqualTo(Item.of("999999"));
    assertThat(items.heapBytes()).isLessThan(20L << 20);
  }

  @Test
  void readsManifests() throws IOException {
    String lines =
        """
        "a.jpg"

        {"key": "b.jpg", "label": 1}
        {"key": "c.jpg", "label": 0.5}
        """;
    var result = new ManifestReader(1000, 10).read(bytes(lines));
    ItemList items = ((ManifestReader.Result.Read) result).items();
    assertThat(items.size()).isEqualTo(3);
    assertThat(items.labelType()).isEqualTo(LabelType.FLOAT64);
    assertThat(items.get(0).label()).isEqualTo(Label.NONE);
    assertThat(items.get(1).label()).isEqualTo(new Label.Real(1));
    assertThat(items.get(2).label()).isEqualTo(new Label.Real(0.5));
    var bad = new ManifestReader(1000, 10).read(bytes("\"a\"\n{\"kee\":1}\n"));
    assertThat(((ManifestReader.Result.Refused) bad).problem().text())
        .contains("/kee, line 2")
        .contains("\"key\"");
    assertThat(new ManifestReader(10, 10).read(bytes(lines)))
        .isInstanceOf(ManifestReader.Result.Refused.class);
  }

  /** Jackson guesses UTF-32 from such beginnings, and fails outside of its own exceptions. */
  @ParameterizedTest
  @ValueSource(strings = {"0000fffe", "fffe0000", "0000007b", "007b0000", "7b000000", "feff", "c3"})
  void refusesWhatIsNotUtf8(String hex) throws IOException {
    byte[] bytes = HexFormat.of().parseHex(hex + hex);
    RequestResult result =
        new BatchRequestReader(RequestLimits.DEFAULT).read(new ByteArrayInputStream(bytes));
    assertThat(((Rejected) result).problem().kind()).isEqualTo(Kind.SYNTAX);
  }

  @Test
  void theExamplesOfTheDocumentationAreRequests() throws IOException {
    String page = Files.readString(Path.of("..", "docs", "batch-protocol.md"));
    List<String> requests =
        Pattern.compile("```json\n(.*?)```", Pattern.DOTALL)
            .matcher(page)
            .results()
            .map(match -> match.group(1))
            .filter(json -> json.contains("\"version\""))
            .toList();
    assertThat(requests).hasSize(2);
    for (String request : requests) {
      accepted(request);
    }
  }

  private static ByteArrayInputStream bytes(String text) {
    return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
  }

  private static RequestResult read(String text, RequestLimits limits) throws IOException {
    return new BatchRequestReader(limits).read(bytes(text));
  }

  private static BatchRequest accepted(String text) throws IOException {
    RequestResult result = read(text, RequestLimits.DEFAULT);
    assertThat(result).isInstanceOf(Accepted.class);
    return ((Accepted) result).request();
  }

  private static RequestProblem rejected(String text) throws IOException {
    return rejected(text, RequestLimits.DEFAULT);
  }

  private static RequestProblem rejected(String text, RequestLimits limits) throws IOException {
    RequestResult result = read(text, limits);
    assertThat(result).isInstanceOf(Rejected.class);
    return ((Rejected) result).problem();
  }
}
