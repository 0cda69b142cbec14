package io.penstock.config;

import static io.penstock.config.Samples.loaded;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.statistics.Statistics;

class ConfigProperties {
  private static final String SECRET = "Zq7xW9_vLt2";

  /** Every kind of YAML the reader knows, every kind of key, and a secret in each place for one. */
  private static final String FILE =
      """
      # a comment
      listen:
        s3: {host: 127.0.0.1, port: 9000, domains: [s3.example.com], http2: true}
        admin:
          host: "127.0.0.1"
          port: 9001
      upstream:
        endpoints:
          - http://127.0.0.1:8333
          - 'https://store.example.com'
        region: us-east-1
        addressing: path
        access-key: ${KEY:AK}
        secret-key: SECRET
        session-token: ${TOKEN}
        pool: {max-connections: 10, idle-timeout: 15s}
      tenants:
        - {name: demo, access-key: demo, secret-key: SECRET}
        - name: second
          access-key: second
          secret-key: "SECRET"
          policy:
            rules:
              - {bucket: "train-*", prefix: a/, access: &all [read, write]}
              - bucket: other
                access: *all
        - {name: public, anonymous: true}
      limits:
        max-body: 5GiB
      runtime: {transport: auto}
      """
          .replace("SECRET", SECRET);

  @Property(tries = 200)
  void aValidConfigurationWrittenAndReadAgainIsTheSame(@ForAll("configs") GatewayConfig config) {
    String yaml = ConfigYaml.of(config);
    assertThat(loaded(new ConfigLoader(Map.of()).parse(yaml, Path.of(".")))).isEqualTo(config);
  }

  @Property
  void aSizeWrittenAndReadAgainIsTheSame(@ForAll @LongRange(min = 0) long bytes) {
    ByteSize size = new ByteSize(bytes);
    assertThat(ByteSize.parse(size.toString())).contains(size);
  }

  @Provide
  Arbitrary<GatewayConfig> configs() {
    return ConfigArbitraries.configs();
  }

  /** Never an exception, never a problem outside of the file, never a secret in a message. */
  @Property(tries = 1_000)
  void aMutatedFileIsValidOrItsProblemsAreInsideIt(@ForAll("mutations") Mutation mutation) {
    String yaml = mutation.apply(FILE);
    ConfigResult result =
        new ConfigLoader(Map.of("TOKEN", SECRET)).parse(yaml, Path.of("/nonexistent"));
    // a mutation that nothing notices proves nothing
    Statistics.collect(result.getClass().getSimpleName());
    Statistics.coverage(it -> it.check("Invalid").percentage(share -> share > 40));
    if (result instanceof ConfigResult.Invalid(List<Problem> problems)) {
      long lines = Math.max(1, yaml.lines().count());
      assertThat(problems).isNotEmpty();
      for (Problem problem : problems) {
        assertThat(problem.line()).isBetween(1, (int) lines);
        assertThat(problem.column()).isPositive();
        assertThat(problem.message()).isNotBlank();
        assertThat(leaks(problem)).as(problem.toString()).isFalse();
      }
    }
  }

  private static boolean leaks(Problem problem) {
    for (int i = 0; i + 4 <= SECRET.length(); i++) {
      String piece = SECRET.substring(i, i + 4);
      if (problem.message().contains(piece) || problem.path().contains(piece)) {
        return true;
      }
    }
    return false;
  }

  @Property(tries = 300)
  void noTextAtAllThrows(@ForAll("anything") String yaml) {
    assertThat(new ConfigLoader(Map.of()).parse(yaml, Path.of("."))).isNotNull();
  }

  @Provide
  Arbitrary<String> anything() {
    return Arbitraries.strings()
        .withChars(
            "{}[]:,-#&*!|>'\"%@`?$ \t\n\r\\\u0000\u0085\u2028\uFEFF\uD800abc019~".toCharArray())
        .ofMaxLength(60);
  }

  /** One edit of a text, at a place given as a share of its length. */
  record Mutation(Kind kind, double place, String piece) {
    enum Kind {
      DELETE_CHARACTER,
      INSERT,
      REPLACE_CHARACTER,
      DELETE_LINE,
      DOUBLE_LINE,
      SWAP_LINES,
      INDENT_LINE,
      CUT_OFF
    }

    String apply(String text) {
      int at = (int) (place * text.length());
      List<String> lines = new ArrayList<>(text.lines().toList());
      int line = (int) (place * lines.size());
      switch (kind) {
        case DELETE_CHARACTER -> {
          return text.substring(0, at) + text.substring(at + 1);
        }
        case INSERT -> {
          return text.substring(0, at) + piece + text.substring(at);
        }
        case REPLACE_CHARACTER -> {
          return text.substring(0, at) + piece + text.substring(at + 1);
        }
        case CUT_OFF -> {
          return text.substring(0, at);
        }
        case DELETE_LINE -> lines.remove(line);
        case DOUBLE_LINE -> lines.add(line, lines.get(line));
        case SWAP_LINES -> lines.add(line, lines.remove((line + 1) % lines.size()));
        case INDENT_LINE -> lines.set(line, piece + lines.get(line));
      }
      return String.join("\n", lines) + "\n";
    }
  }

  @Provide
  Arbitrary<Mutation> mutations() {
    Arbitrary<String> pieces =
        Arbitraries.of(
            ":",
            ": ",
            "{",
            "}",
            "[",
            "]",
            ",",
            "- ",
            "#",
            " #",
            "&",
            "*",
            "*all",
            "!",
            "!!int ",
            "|",
            ">",
            "'",
            "\"",
            "\\",
            "%",
            "@",
            "`",
            "? ",
            "$",
            "${",
            "${X}",
            "${X:1}",
            " ",
            "  ",
            "\t",
            "\n",
            "\r",
            "---\n",
            "...\n",
            "~",
            "null",
            "0",
            "-1",
            "x",
            "<<: *all\n",
            "\u0000",
            "\u0007",
            "\u0085",
            "\u2028",
            "\uFEFF",
            "\u00e9",
            "\uD83D\uDE00",
            "\uD800");
    return Combinators.combine(
            Arbitraries.of(Mutation.Kind.values()),
            Arbitraries.doubles().between(0, true, 1, false),
            pieces)
        .as(Mutation::new);
  }
}
