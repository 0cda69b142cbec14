package io.penstock.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The reference of all keys, written from the records: {@code docs/configuration.md}. Whatever the
 * loader does by {@link Key} stands here by the same {@link Key}, so the two cannot disagree.
 *
 * <p>Threading: pure functions.
 */
public final class ConfigReference {
  private static final String HEAD =
      """
      # Configuration

      <!-- Written by `./penstock config reference`; change the records in `config`, not this file. -->

      One YAML file holds the whole configuration: `./penstock gateway --config FILE`. The smallest one \
      is [`examples/minimal.yaml`](../examples/minimal.yaml); every key it leaves out has the default \
      given here. `./penstock config check FILE` prints every mistake at once, each with its line. \
      Unknown keys and keys that are there twice are mistakes.

      ## Values

      | form | written | meaning |
      |---|---|---|
      | duration | `500ms`, `30s`, `5m`, `1h` | always with a unit |
      | size | `64KiB`, `1MB`, `5GiB`, `4096` | KiB, MiB, GiB, TiB count 1024; kB, MB, GB, TB count 1000; a number alone counts bytes |
      | number, true, false | `9000` | without quotes |
      | text | `demo`, `"a: b"` | in quotes when YAML would read it as something else |
      | path of a file | `tls/tls.crt` | relative paths start at the directory of the configuration file |

      **Environment.** `${NAME}` in a value is replaced by that environment variable, `${NAME:default}` \
      by its default when the variable is not set or empty; `$${` stands for the characters `${`. Inside \
      `{ }` and `[ ]`, YAML needs quotes around it: `{port: "${PORT:9000}"}`.

      **Secrets from files.** A key with a `-file` neighbour takes its value from there instead: \
      `secret-key-file: /run/secrets/store`. Line breaks at the end of the file are dropped.

      **Reload.** The file and all files it names are watched. A key with *yes* in the column *reload* \
      takes effect while the gateway runs, also when only the file behind it changed (a secret, a \
      certificate). A change of any other key is reported and waits for a restart; a file with a mistake \
      is reported and the running configuration stays.

      **YAML.** Version 1.2: `yes` and `on` are text. Anchors and aliases work; merge keys (`<<`) and tags \
      (`!name`) do not. At most 4 MiB.
      """;

  private ConfigReference() {}

  /** The whole page. */
  public static String markdown() {
    StringBuilder page = new StringBuilder(HEAD);
    section(GatewayConfig.class, "", "", false, page);
    page.append("\n## Everything in one file\n\n")
        .append("Each key with its default; those with a `#` in front have none.\n\n```yaml\n")
        .append(example())
        .append("```\n");
    return page.toString();
  }

  /**
   * A file with every key, its meaning and its default; keys without a default are commented out.
   */
  public static String example() {
    return String.join("\n", ExampleFile.lines(SectionSchema.of(GatewayConfig.class))) + "\n";
  }

  private static void section(
      Class<? extends Record> type,
      String path,
      String doc,
      boolean reloadable,
      StringBuilder page) {
    SectionSchema schema = SectionSchema.of(type);
    List<String> rows = new ArrayList<>();
    for (KeySchema key : schema.keys()) {
      if (nested(key.shape()) == null) {
        rows.add(row(key, reloadable || key.rules().reloadable()));
      }
    }
    if (!path.isEmpty()) {
      page.append("\n## `").append(path).append("`\n\n").append(doc).append('\n');
    }
    if (!rows.isEmpty()) {
      page.append("\n| key | type | default | reload | meaning |\n|---|---|---|---|---|\n");
      rows.forEach(page::append);
    }
    for (KeySchema key : schema.keys()) {
      Class<? extends Record> inner = nested(key.shape());
      if (inner != null) {
        String name = key.name() + (key.shape() instanceof Shape.Many ? "[]" : "");
        section(
            inner,
            path.isEmpty() ? name : path + "." + name,
            key.rules().doc() + (key.optional() ? " Optional." : ""),
            reloadable || key.rules().reloadable(),
            page);
      }
    }
  }

  private static String row(KeySchema key, boolean reloadable) {
    String name = "`" + key.name() + "`";
    if (key.rules().fromFile()) {
      name += " or `" + key.fileName() + "`";
    }
    return "| %s | %s | %s | %s | %s |\n"
        .formatted(
            name,
            type(key),
            preset(key),
            reloadable ? "yes" : "",
            key.rules().doc().replace("|", "\\|"));
  }

  private static String type(KeySchema key) {
    if (key.shape() instanceof Shape.Many(Shape.Value(Class<?> item))) {
      return "list of " + noun(item) + (key.rules().min().isEmpty() ? "" : ", at least one");
    }
    Class<?> type = ((Shape.Value) key.shape()).type();
    String range = ValueBinder.isRanged(type) ? ValueBinder.range(key) : "";
    return noun(type) + (range.isEmpty() ? "" : ", " + range);
  }

  private static String noun(Class<?> type) {
    if (type.isEnum()) {
      return "`" + String.join("`, `", Scalars.spellings(type)) + "`";
    }
    return switch (type.getSimpleName()) {
      case "int", "Integer" -> "number";
      case "boolean" -> "`true`, `false`";
      case "ByteSize" -> "size";
      case "String" -> "text";
      case "URI" -> "URL";
      default -> type.getSimpleName().toLowerCase(Locale.ROOT);
    };
  }

  private static String preset(KeySchema key) {
    if (key.preset().isPresent()) {
      return "`" + key.rules().defaultValue() + "`";
    }
    if (!key.required()) {
      return "none";
    }
    return key.rules().unless().isEmpty()
        ? "**required**"
        : "**required** unless `" + key.rules().unless() + "`";
  }

  private static @Nullable Class<? extends Record> nested(Shape shape) {
    return switch (shape) {
      case Shape.Nested section -> section.type();
      case Shape.Many many -> nested(many.item());
      case Shape.Value _ -> null;
    };
  }
}
