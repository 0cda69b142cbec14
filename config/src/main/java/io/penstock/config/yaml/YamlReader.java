package io.penstock.config.yaml;

import io.penstock.config.yaml.YamlDocument.Finding;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.snakeyaml.engine.v2.common.Anchor;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.CollectionStartEvent;
import org.snakeyaml.engine.v2.events.DocumentStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.MappingStartEvent;
import org.snakeyaml.engine.v2.events.NodeEvent;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.events.SequenceStartEvent;

/**
 * Reads one YAML 1.2 text into a tree. Never throws for any text. After a syntax error the line is
 * taken out and the rest is read again, so that one mistake does not hide the others. Depth and the
 * number of values that aliases repeat are bounded, so a small file cannot become a large tree.
 *
 * <p>Threading: one instance reads one text.
 */
public final class YamlReader {
  private static final int MAX_DEPTH = 32;
  private static final int MAX_REPEATED_VALUES = 10_000;
  private static final int MAX_PASSES = 12;

  private final SourceText source;
  private final EventCursor events;
  private final List<Finding> findings = new ArrayList<>();
  private final Map<Anchor, Anchored> anchors = new HashMap<>();
  private int values;
  private int repeated;

  private record Anchored(YamlNode node, int size) {}

  private YamlReader(SourceText source) {
    this.source = source;
    this.events = new EventCursor(source);
  }

  /** Reads the text; a byte order mark at its start is skipped. */
  public static YamlDocument read(String text) {
    SourceText whole = SourceText.of(text.startsWith("\uFEFF") ? text.substring(1) : text);
    Deque<SyntaxError> errors = new ArrayDeque<>();
    for (int pass = 1; ; pass++) {
      SourceText source = whole;
      for (SyntaxError error : errors) {
        source = source.without(error.at().line());
      }
      YamlReader reader = new YamlReader(source);
      Optional<YamlNode> root = reader.root();
      Optional<SyntaxError> error = reader.events.error();
      error.ifPresent(it -> keep(it, errors));
      if (error.isEmpty() || !error.get().recoverable() || pass == MAX_PASSES) {
        Stream<Finding> syntax = errors.stream().map(it -> new Finding(it.at(), it.message()));
        return new YamlDocument(root, Stream.concat(syntax, reader.findings.stream()).toList());
      }
    }
  }

  /** An error above earlier ones is their cause, as an open quote is of what comes after it. */
  private static void keep(SyntaxError error, Deque<SyntaxError> errors) {
    while (!errors.isEmpty() && errors.getLast().at().line() >= error.at().line()) {
      errors.removeLast();
    }
    errors.addLast(error);
  }

  private Optional<YamlNode> root() {
    Optional<YamlNode> root = Optional.empty();
    for (var next = events.next(); next.isPresent(); next = events.next()) {
      Event event = next.get();
      if (event instanceof DocumentStartEvent && root.isPresent()) {
        events.fail(event, "a second document starts here; one file holds one configuration");
      } else if (event instanceof NodeEvent start) {
        root = Optional.of(node(start, 0));
      }
    }
    return root;
  }

  private YamlNode node(NodeEvent event, int depth) {
    if (event instanceof AliasEvent alias) {
      return named(alias);
    }
    int before = values++;
    YamlNode node =
        switch (event) {
          case ScalarEvent scalar -> scalar(scalar);
          case CollectionStartEvent start when depth >= MAX_DEPTH -> {
            events.fail(start, "nested deeper than " + MAX_DEPTH + " levels");
            yield new YamlNode.Broken(events.at(start));
          }
          case SequenceStartEvent start -> sequence(start, depth);
          case MappingStartEvent start -> mapping(start, depth);
          default -> throw new IllegalStateException("not a value: " + event.getEventId());
        };
    YamlNode kept = hasTag(event) ? refused(event, "tags (!name) are not used here") : node;
    event.getAnchor().ifPresent(a -> anchors.put(a, new Anchored(kept, values - before)));
    return kept;
  }

  private YamlNode named(AliasEvent event) {
    Anchored target = anchors.get(event.getAlias());
    if (target == null) {
      return refused(event, "this alias (*name) names nothing that is complete above it");
    }
    repeated += target.size();
    values += target.size();
    if (repeated > MAX_REPEATED_VALUES) {
      events.fail(
          event, "aliases repeat more than " + MAX_REPEATED_VALUES + " values; write them out");
      return new YamlNode.Broken(events.at(event));
    }
    return target.node();
  }

  private YamlNode scalar(ScalarEvent event) {
    return new YamlNode.Scalar(event.getValue(), event.isPlain(), events.at(event));
  }

  private YamlNode sequence(SequenceStartEvent start, int depth) {
    List<YamlNode> items = new ArrayList<>();
    Optional<Event> next = events.next();
    while (next.orElse(null) instanceof NodeEvent item) {
      items.add(node(item, depth + 1));
      next = events.next();
    }
    return new YamlNode.Sequence(
        items, next.filter(end -> isWhole(start, end)).isPresent(), events.at(start));
  }

  private YamlNode mapping(MappingStartEvent start, int depth) {
    List<YamlNode.Entry> entries = new ArrayList<>();
    Optional<Event> next = events.next();
    while (next.orElse(null) instanceof NodeEvent keyEvent) {
      YamlNode key = node(keyEvent, depth + 1);
      if (!(events.next().orElse(null) instanceof NodeEvent valueEvent)) {
        return new YamlNode.Mapping(entries, false, events.at(start));
      }
      YamlNode value = node(valueEvent, depth + 1);
      if (key instanceof YamlNode.Scalar text && !text.isNull()) {
        entries.add(new YamlNode.Entry(text.text(), events.at(keyEvent), value));
      } else if (!(key instanceof YamlNode.Broken)) {
        findings.add(new Finding(events.at(keyEvent), "a key must be a word"));
      }
      next = events.next();
    }
    return new YamlNode.Mapping(
        entries, next.filter(end -> isWhole(start, end)).isPresent(), events.at(start));
  }

  private boolean isWhole(Event start, Event end) {
    return !source.misses(events.at(start).line(), events.lastLine(end));
  }

  private YamlNode refused(NodeEvent event, String message) {
    findings.add(new Finding(events.at(event), message));
    return new YamlNode.Broken(events.at(event));
  }

  private static boolean hasTag(NodeEvent event) {
    return switch (event) {
      case ScalarEvent scalar -> scalar.getTag().isPresent();
      case CollectionStartEvent start -> start.getTag().isPresent();
      default -> false;
    };
  }
}
