package io.penstock.config.yaml;

import io.penstock.config.yaml.YamlDocument.Finding;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.ReaderException;

/**
 * The parser's events one by one. The first error ends them, as a finding instead of an exception.
 */
final class EventCursor {
  private final String text;
  private final SourceText source;
  private final Iterator<Event> events;
  private final List<Finding> findings;
  private Position last = Position.START;
  private boolean failed;

  EventCursor(String text, List<Finding> findings) {
    this.text = text;
    this.source = new SourceText(text);
    this.findings = findings;
    // the caller bounds the length of the text
    var settings = LoadSettings.builder().setCodePointLimit(Integer.MAX_VALUE).build();
    this.events = new Parse(settings).parseString(text).iterator();
  }

  /** The next event; empty at the end and after the first error. */
  Optional<Event> next() {
    if (failed) {
      return Optional.empty();
    }
    try {
      if (!events.hasNext()) {
        return Optional.empty();
      }
      Event event = events.next();
      last = at(event);
      return Optional.of(event);
    } catch (MarkedYamlEngineException e) {
      Position at = e.getProblemMark().map(this::at).orElse(last);
      fail(at, SyntaxMessages.of(Objects.toString(e.getProblem(), ""), source.line(at.line())));
    } catch (ReaderException e) {
      Position at = SourceText.at(text, e.getPosition());
      fail(at, SyntaxMessages.of("special characters are not allowed", ""));
    } catch (RuntimeException e) {
      // the scanner lets some unchecked exceptions of the JDK through, say for code points in
      // escapes that do not exist; for the user it is the same: this text is not YAML
      fail(last, SyntaxMessages.of("", ""));
    }
    return Optional.empty();
  }

  /** Ends the events with a mistake of the caller's finding. */
  void fail(Event event, String message) {
    fail(at(event), message);
  }

  private void fail(Position at, String message) {
    failed = true;
    findings.add(new Finding(at, message));
  }

  Position at(Event event) {
    return event.getStartMark().map(this::at).orElse(last);
  }

  private Position at(Mark mark) {
    return source.clamp(mark.getLine() + 1, mark.getColumn() + 1);
  }
}
