package io.penstock.arrow.decode;

import io.penstock.arrow.tensor.TensorSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The Python dictionary in an {@code npy} header. Exactly what NumPy writes is read: the three keys
 * in any order, each once, a text, a boolean and a tuple of whole numbers. Nothing is ever
 * evaluated.
 */
record NpyLiteral(String descr, boolean fortranOrder, List<Long> shape) {

  private static final int MAX_DIGITS = 18;

  static NpyLiteral parse(String text) throws DecodeException {
    return new Parser(text).dictionary();
  }

  private static final class Parser {
    private final String text;
    private int at;
    private Optional<String> descr = Optional.empty();
    private Optional<Boolean> fortranOrder = Optional.empty();
    private Optional<List<Long>> shape = Optional.empty();

    Parser(String text) {
      this.text = text;
    }

    NpyLiteral dictionary() throws DecodeException {
      expect('{');
      while (!accept('}')) {
        entry();
        if (!accept(',')) {
          expect('}');
          break;
        }
      }
      blanks();
      if (at != text.length() || descr.isEmpty() || fortranOrder.isEmpty() || shape.isEmpty()) {
        throw malformed();
      }
      return new NpyLiteral(descr.get(), fortranOrder.get(), shape.get());
    }

    private void entry() throws DecodeException {
      String key = string();
      expect(':');
      switch (key) {
        case "descr" -> {
          once(descr);
          blanks();
          if (at < text.length() && text.charAt(at) == '[') {
            throw DecodeException.unsupported("npy records are not decoded: store plain arrays");
          }
          descr = Optional.of(string());
        }
        case "fortran_order" -> {
          once(fortranOrder);
          fortranOrder = Optional.of(bool());
        }
        case "shape" -> {
          once(shape);
          shape = Optional.of(tuple());
        }
        default -> throw malformed();
      }
    }

    private void once(Optional<?> value) throws DecodeException {
      if (value.isPresent()) {
        throw malformed();
      }
    }

    private String string() throws DecodeException {
      blanks();
      char quote = at < text.length() ? text.charAt(at++) : ' ';
      int end = text.indexOf(quote, at);
      if ((quote != '\'' && quote != '"') || end < 0) {
        throw malformed();
      }
      String value = text.substring(at, end);
      if (value.indexOf('\\') >= 0) {
        throw malformed();
      }
      at = end + 1;
      return value;
    }

    private boolean bool() throws DecodeException {
      blanks();
      for (String word : List.of("True", "False")) {
        if (text.startsWith(word, at)) {
          at += word.length();
          return word.equals("True");
        }
      }
      throw malformed();
    }

    private List<Long> tuple() throws DecodeException {
      List<Long> numbers = new ArrayList<>();
      boolean comma = true;
      expect('(');
      while (!accept(')')) {
        if (!comma || numbers.size() == TensorSpec.MAX_DIMENSIONS) {
          throw malformed();
        }
        numbers.add(number());
        comma = accept(',');
      }
      // (3) is a number, not a tuple
      if (numbers.size() == 1 && !comma) {
        throw malformed();
      }
      return List.copyOf(numbers);
    }

    private long number() throws DecodeException {
      blanks();
      int from = at;
      while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
        at++;
      }
      if (at == from || at - from > MAX_DIGITS) {
        throw malformed();
      }
      long value = Long.parseLong(text, from, at, 10);
      // Python 2 wrote long numbers so
      accept('L');
      return value;
    }

    private boolean accept(char wanted) {
      blanks();
      boolean there = at < text.length() && text.charAt(at) == wanted;
      at += there ? 1 : 0;
      return there;
    }

    private void expect(char wanted) throws DecodeException {
      if (!accept(wanted)) {
        throw malformed();
      }
    }

    private void blanks() {
      while (at < text.length() && (text.charAt(at) == ' ' || text.charAt(at) == '\n')) {
        at++;
      }
    }

    private DecodeException malformed() {
      return DecodeException.corrupt(
          "the npy header is no dictionary of descr, fortran_order and shape (at %d)"
              .formatted(at));
    }
  }
}
