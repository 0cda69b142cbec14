package io.penstock.config.yaml;

import java.util.Iterator;
import java.util.Objects;
import java.util.Optional;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.ReaderException;

/**
 * The parser's events one by one. The first error ends them, and is kept instead of thrown.
 *
 * <p>Threading: one instance reads one text.
 */
final class EventCursor {
  private final SourceText source;
  private final Iterator<Event> events;
  private Position last = Position.START;
  private Optional<SyntaxError> error = Optional.empty();

  EventCursor(SourceText source) {
    this.source = source;
    // the caller bounds the length of the text
    var settings = LoadSettings.builder().setCodePointLimit(Integer.MAX_VALUE).build();
    this.events = new Parse(settings).parseString(source.text()).iterator();
  }

  /** The next event; empty at the end and after the first error. */
  Optional<Event> next() {
    if (error.isPresent()) {
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
      error = Optional.of(explain(e));
    } catch (ReaderException e) {
      error = Optional.of(SyntaxMessages.controlCharacter(source.at(e.getPosition())));
    } catch (RuntimeException e) {
      // the scanner lets some unchecked exceptions of the JDK through, say for code points in
      // escapes that do not exist; for the user it is the same: this text is not YAML
      error = Optional.of(SyntaxMessages.unknown(last));
    }
    return Optional.empty();
  }

  Optional<SyntaxError> error() {
    return error;
  }

  /** Ends the events with an error of the reader's own. */
  void fail(Event event, String message) {
    error = Optional.of(new SyntaxError(at(event), message, false));
  }

  Position at(Event event) {
    return event.getStartMark().map(this::at).orElse(last);
  }

  /** The line an event ends on. */
  int lastLine(Event event) {
    return event.getEndMark().map(mark -> mark.getLine() + 1).orElse(last.line());
  }

  private SyntaxError explain(MarkedYamlEngineException e) {
    Position problem = e.getProblemMark().map(this::at).orElse(last);
    Position context = e.getContextMark().map(this::at).orElse(problem);
    return SyntaxMessages.explain(Objects.toString(e.getProblem(), ""), problem, context, source);
  }

  private Position at(Mark mark) {
    return source.clamp(mark.getLine() + 1, mark.getColumn() + 1);
  }
}
