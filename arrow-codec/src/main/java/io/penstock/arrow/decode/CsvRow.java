package io.penstock.arrow.decode;

import de.siegmar.fastcsv.reader.AbstractBaseCsvCallbackHandler;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One record of a CSV file.
 *
 * @param line where it begins, counted from 1
 * @param values null where the file says so
 */
record CsvRow(long line, List<@Nullable String> values) {

  /** Makes rows of what the parser finds, and stops at too many columns. */
  static final class Handler extends AbstractBaseCsvCallbackHandler<CsvRow> {

    private final String nullText;
    private final int mostColumns;
    private List<@Nullable String> values = new ArrayList<>();

    Handler(String nullText, int mostColumns) {
      this.nullText = nullText;
      this.mostColumns = mostColumns;
    }

    @Override
    protected void handleBegin(long startingLineNumber) {
      values = new ArrayList<>(values.size());
    }

    @Override
    protected void handleField(
        int fieldIndex, char[] buffer, int offset, int length, boolean quoted) {
      if (values.size() == mostColumns) {
        throw new TooManyColumnsException();
      }
      String text = new String(buffer, offset, length);
      boolean none = !quoted && (text.isEmpty() || text.equals(nullText));
      values.add(none ? null : text);
    }

    @Override
    protected CsvRow buildRecord() {
      return new CsvRow(getStartingLineNumber(), values);
    }
  }

  /** More columns than allowed; the parser passes only unchecked exceptions on. */
  static final class TooManyColumnsException extends RuntimeException {
    TooManyColumnsException() {
      super(null, null, false, false);
    }
  }
}
