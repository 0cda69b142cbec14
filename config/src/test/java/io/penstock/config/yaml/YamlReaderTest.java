package io.penstock.config.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.config.yaml.YamlDocument.Finding;
import io.penstock.config.yaml.YamlNode.Entry;
import io.penstock.config.yaml.YamlNode.Mapping;
import io.penstock.config.yaml.YamlNode.Scalar;
import io.penstock.config.yaml.YamlNode.Sequence;
import java.util.List;
import org.junit.jupiter.api.Test;

class YamlReaderTest {

  private static Mapping mapping(String yaml) {
    return (Mapping) YamlReader.read(yaml).root().orElseThrow();
  }

  private static List<Finding> findings(String yaml) {
    return YamlReader.read(yaml).findings();
  }

  private static Position at(int line, int column) {
    return new Position(line, column);
  }

  @Test
  void everyNodeKnowsItsPlace() {
    assertThat(YamlReader.read("a: 1\nb:\n  - x\n  - {c: 'y'}\n").root())
        .contains(
            new Mapping(
                List.of(
                    new Entry("a", at(1, 1), new Scalar("1", true, at(1, 4))),
                    new Entry(
                        "b",
                        at(2, 1),
                        new Sequence(
                            List.of(
                                new Scalar("x", true, at(3, 5)),
                                new Mapping(
                                    List.of(
                                        new Entry("c", at(4, 6), new Scalar("y", false, at(4, 9)))),
                                    true,
                                    at(4, 5))),
                            true,
                            at(3, 3)))),
                true,
                at(1, 1)));
  }

  @Test
  void plainWordsStayTextAndNothingIsNull() {
    Mapping words = mapping("a: 0123\nb: yes\nc: ~\nd:\ne: 'null'\nf: null\n");
    assertThat(words.entries())
        .extracting(entry -> ((Scalar) entry.value()).text())
        .containsExactly("0123", "yes", "~", "", "null", "null");
    assertThat(words.entries())
        .extracting(entry -> ((Scalar) entry.value()).isNull())
        .containsExactly(false, false, true, true, false, true);
  }

  @Test
  void aKeyThatIsThereTwiceIsKeptTwice() {
    assertThat(mapping("a: 1\na: 2\n").entries()).extracting(Entry::key).containsExactly("a", "a");
  }

  @Test
  void aLineThatCannotBeReadLeavesItsNeighbours() {
    String yaml = "a: 1\nb: @x\nc:\n  d: 2\n";
    assertThat(findings(yaml)).extracting(Finding::at).containsExactly(at(2, 4));
    assertThat(mapping(yaml).entries()).extracting(Entry::key).containsExactly("a", "c");
    assertThat(mapping(yaml).complete()).isFalse();
    assertThat(((Mapping) mapping(yaml).entries().getLast().value()).complete()).isTrue();
  }

  @Test
  void aSectionLosesItsLinesWithItsHead() {
    String yaml = "a: 1\nb @: [:\n  c: 2\n  d: 3\ne: 4\n";
    assertThat(mapping(yaml).entries()).extracting(Entry::key).contains("a", "e");
    assertThat(mapping(yaml).entries()).extracting(Entry::key).doesNotContain("c", "d");
  }

  @Test
  void anOpenQuoteIsTheOnlyErrorOfWhatItSwallows() {
    assertThat(findings("a: \"x\nb: \"y\"\nc: 'z'\n"))
        .containsExactly(new Finding(at(1, 4), "a quote is opened here and never closed"));
  }

  @Test
  void anOpenBracketIsReportedWhereItIsOpened() {
    assertThat(findings("a: {b: 1\nc: 2\nd: 3\n"))
        .containsExactly(new Finding(at(1, 4), "'{' without its '}'; close it on this line"));
    assertThat(findings("a: {\n  b: 1\n  c: 2\n}\n"))
        .singleElement()
        .extracting(finding -> finding.at().line())
        .isEqualTo(3);
  }

  @Test
  void bracketsOverManyLinesAreFine() {
    assertThat(findings("a: {\n  b: 1,\n  c: [\n    2,\n    3]\n}\n")).isEmpty();
  }

  @Test
  void placeholdersInBracketsGetAHint() {
    assertThat(findings("a: {b: ${C}}\n"))
        .singleElement()
        .extracting(Finding::message)
        .asString()
        .endsWith("inside { } and [ ] put \"${NAME}\" in double quotes");
  }

  @Test
  void anAliasOfWhatIsNotCompleteIsRefused() {
    assertThat(findings("a: &a [*a]\n"))
        .containsExactly(
            new Finding(at(1, 8), "this alias (*name) names nothing that is complete above it"));
  }

  @Test
  void escapesThatDoNotExistAreNoException() {
    assertThat(findings("a: \"\\UFFFFFFFF\"\n")).hasSize(1);
    assertThat(findings("a: \"\\q\"\n"))
        .extracting(Finding::message)
        .containsExactly("an unknown escape in double quotes; use single quotes to keep a '\\'");
    assertThat(findings("a: 1\nb: \u0007\n"))
        .containsExactly(
            new Finding(at(2, 4), "a control character is not allowed here; remove it"));
  }

  @Test
  void emptyTextsHaveNoRoot() {
    assertThat(YamlReader.read("").root()).isEmpty();
    assertThat(YamlReader.read("# only a comment\n").root()).isEmpty();
  }
}
