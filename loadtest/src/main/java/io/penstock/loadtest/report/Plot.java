package io.penstock.loadtest.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleFunction;

/**
 * Draws lines or bars as one inline SVG. Colours come from the page's style sheet, so that plots
 * follow its light and dark schemes.
 *
 * <p>Threading: one thread.
 */
public final class Plot {
  private static final int WIDTH = 720;
  private static final int HEIGHT = 260;
  private static final int LEFT = 70;
  private static final int BOTTOM = 40;
  private static final int TOP = 16;
  private static final int RIGHT = 16;

  private final String title;
  private final Axis x;
  private final Axis y;
  private final List<Series> all = new ArrayList<>();

  /** A named line: {@code xs} and {@code ys} have the same length. */
  public record Series(String name, double[] xs, double[] ys, boolean bars) {}

  /** {@code label} writes one value; {@code log} needs values above 0. */
  public record Axis(String name, boolean log, DoubleFunction<String> label) {
    double place(double value) {
      return log ? Math.log10(Math.max(value, 1e-9)) : value;
    }
  }

  public Plot(String title, Axis x, Axis y) {
    this.title = title;
    this.x = x;
    this.y = y;
  }

  public Plot add(Series series) {
    all.add(series);
    return this;
  }

  private record Span(double from, double to) {
    double at(double value) {
      return to == from ? 0.5 : (value - from) / (to - from);
    }
  }

  private Span span(Axis axis, boolean horizontal) {
    double from = Double.MAX_VALUE;
    double to = -Double.MAX_VALUE;
    for (Series series : all) {
      for (double value : horizontal ? series.xs() : series.ys()) {
        from = Math.min(from, axis.place(value));
        to = Math.max(to, axis.place(value));
      }
    }
    if (from > to) {
      return new Span(0, 1);
    }
    boolean fromZero = !horizontal && !axis.log();
    double low = fromZero ? 0 : axis.log() ? Math.floor(from) : from;
    double high = axis.log() ? Math.max(low + 1, Math.ceil(to)) : to;
    return new Span(low, high > low ? high : low + 1);
  }

  /** The drawing. */
  String svg() {
    Span xSpan = span(x, true);
    Span ySpan = span(y, false);
    var svg = new StringBuilder();
    svg.append("<figure><figcaption>").append(Html.escape(title)).append("</figcaption>");
    svg.append(
        "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\">"
            .formatted(WIDTH, HEIGHT, Html.escape(title)));
    grid(svg, xSpan, ySpan);
    for (int i = 0; i < all.size(); i++) {
      draw(svg, all.get(i), i, xSpan, ySpan);
    }
    svg.append("</svg>");
    legend(svg);
    return svg.append("</figure>\n").toString();
  }

  private static double px(Span span, double place) {
    return LEFT + span.at(place) * (WIDTH - LEFT - RIGHT);
  }

  private static double py(Span span, double place) {
    return HEIGHT - BOTTOM - span.at(place) * (HEIGHT - BOTTOM - TOP);
  }

  private void grid(StringBuilder svg, Span xSpan, Span ySpan) {
    for (double tick : ticks(y, ySpan)) {
      double at = py(ySpan, tick);
      line(svg, LEFT, at, WIDTH - RIGHT, at);
      label(svg, LEFT - 6, at + 4, "end", y.label().apply(value(y, tick)));
    }
    for (double tick : ticks(x, xSpan)) {
      double at = px(xSpan, tick);
      line(svg, at, TOP, at, HEIGHT - BOTTOM);
      label(svg, at, HEIGHT - BOTTOM + 16, "middle", x.label().apply(value(x, tick)));
    }
    label(svg, (LEFT + WIDTH) / 2.0, HEIGHT - 6, "middle", x.name());
    label(svg, 4, TOP - 4, "start", y.name());
  }

  private static double value(Axis axis, double place) {
    return axis.log() ? Math.pow(10, place) : place;
  }

  private static List<Double> ticks(Axis axis, Span span) {
    List<Double> ticks = new ArrayList<>();
    double step = axis.log() ? 1 : roundStep((span.to() - span.from()) / 5);
    for (double at = Math.ceil(span.from() / step) * step; at <= span.to() * 1.0001; at += step) {
      ticks.add(at);
    }
    return ticks;
  }

  private static double roundStep(double rough) {
    double power = Math.pow(10, Math.floor(Math.log10(rough)));
    double lead = rough / power;
    return power * (lead <= 1 ? 1 : lead <= 2 ? 2 : lead <= 5 ? 5 : 10);
  }

  private static void line(StringBuilder svg, double x1, double y1, double x2, double y2) {
    svg.append(
        String.format(
            Locale.ROOT,
            "<line class=\"grid\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>",
            x1,
            y1,
            x2,
            y2));
  }

  private static void label(StringBuilder svg, double at, double y, String anchor, String text) {
    svg.append(
        String.format(
            Locale.ROOT,
            "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>",
            at,
            y,
            anchor,
            Html.escape(text)));
  }

  private void draw(StringBuilder svg, Series series, int index, Span xSpan, Span ySpan) {
    var points = new StringBuilder();
    for (int i = 0; i < series.xs().length; i++) {
      double atX = px(xSpan, x.place(series.xs()[i]));
      double atY = py(ySpan, y.place(series.ys()[i]));
      if (series.bars()) {
        svg.append(
            String.format(
                Locale.ROOT,
                "<line class=\"bar c%d\" x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%.1f\"/>",
                index,
                atX,
                HEIGHT - BOTTOM,
                atX,
                atY));
      } else {
        points.append(String.format(Locale.ROOT, "%.1f,%.1f ", atX, atY));
      }
    }
    if (!series.bars()) {
      svg.append(
          "<polyline class=\"line c%d\" points=\"%s\"/>"
              .formatted(index, points.toString().strip()));
    }
  }

  private void legend(StringBuilder svg) {
    if (all.size() > 1) {
      svg.append("<p class=\"legend\">");
      for (int i = 0; i < all.size(); i++) {
        svg.append(
            "<span class=\"c%d\">&#9632; %s</span> ".formatted(i, Html.escape(all.get(i).name())));
      }
      svg.append("</p>");
    }
  }
}
