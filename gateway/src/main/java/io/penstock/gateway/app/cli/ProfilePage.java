package io.penstock.gateway.app.cli;

import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** A page that needs nothing else: layer time, bytes and predicted epoch of each split, as bars. */
final class ProfilePage {
  private static final int ROW = 18;
  private static final int NAMES = 260;
  private static final int BAR = 220;

  private ProfilePage() {}

  static String of(String model, String reason, List<ProfileRow> rows) {
    int height = (rows.size() + 2) * ROW;
    var svg = new StringBuilder();
    svg.append(
        "<svg xmlns='http://www.w3.org/2000/svg' width='%d' height='%d' font-family='sans-serif' font-size='11'>%n"
            .formatted(NAMES + 3 * (BAR + 80), height));
    column(svg, rows, "ms of the layer before", 0, ProfileRow::milliseconds, "%.2f");
    column(svg, rows, "KiB a sample", 1, row -> row.bytes() / 1024.0, "%.0f");
    column(svg, rows, "predicted epoch, s", 2, ProfileRow::epochSeconds, "%.0f");
    for (int i = 0; i < rows.size(); i++) {
      ProfileRow row = rows.get(i);
      svg.append(
          "<text x='0' y='%d'%s>%s</text>%n"
              .formatted(
                  (i + 2) * ROW - 5,
                  row.chosen() ? " font-weight='bold'" : "",
                  escape(shortened(row.name()))));
    }
    svg.append("</svg>");
    return "<!doctype html><meta charset='utf-8'><title>%s</title><body style='font-family:sans-serif'><h1>%s</h1><p>%s</p>%s%n"
        .formatted(escape(model), escape(model), escape(reason), svg);
  }

  private static void column(
      StringBuilder svg,
      List<ProfileRow> rows,
      String title,
      int index,
      ToDoubleFunction<ProfileRow> value,
      String format) {
    int x = NAMES + index * (BAR + 80);
    double largest = Math.max(1e-9, rows.stream().mapToDouble(value).max().orElse(1));
    svg.append("<text x='%d' y='%d' font-weight='bold'>%s</text>%n".formatted(x, ROW - 5, title));
    for (int i = 0; i < rows.size(); i++) {
      double figure = value.applyAsDouble(rows.get(i));
      int width = (int) Math.round(BAR * figure / largest);
      String colour = rows.get(i).chosen() ? "#d97706" : "#64748b";
      svg.append(
          "<rect x='%d' y='%d' width='%d' height='%d' fill='%s'/><text x='%d' y='%d'>%s</text>%n"
              .formatted(
                  x,
                  (i + 1) * ROW + 2,
                  width,
                  ROW - 4,
                  colour,
                  x + width + 4,
                  (i + 2) * ROW - 5,
                  String.format(Locale.ROOT, format, figure)));
    }
  }

  private static String shortened(String name) {
    return name.length() <= 40 ? name : "..." + name.substring(name.length() - 37);
  }

  private static String escape(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}
