package io.penstock.loadtest.report;

import java.util.List;

/**
 * The frame of a report page: one file, nothing loaded from anywhere.
 *
 * <p>Threading: one thread.
 */
public final class Html {
  private static final String STYLE =
      """
      :root{color-scheme:light dark;--fg:#1c2128;--bg:#fff;--soft:#d5dae1;--bad:#b42318}
      @media(prefers-color-scheme:dark){:root{--fg:#e6eaf0;--bg:#14171c;--soft:#3a414c;--bad:#ff8a7a}}
      body{font:15px/1.5 system-ui,sans-serif;color:var(--fg);background:var(--bg);max-width:1080px;margin:2em auto;padding:0 1em}
      h1{font-size:1.5em}h2{font-size:1.15em;margin-top:2em}
      table{border-collapse:collapse;margin:1em 0}td,th{padding:.25em .8em;text-align:right;border-bottom:1px solid var(--soft)}
      td:first-child,th:first-child{text-align:left}
      figure{margin:1em 0;max-width:760px}figcaption{font-weight:600}svg{width:100%;height:auto}
      svg text{font-size:11px;fill:var(--fg)}.grid{stroke:var(--soft);stroke-width:.6}
      .line{fill:none;stroke:currentColor;stroke-width:1.8}.bar{stroke:currentColor;stroke-width:5}
      .c0{color:#2f6fde}.c1{color:#d9730d}.c2{color:#2b8a3e}.c3{color:#9c36b5}.c4{color:#c92a2a}.c5{color:#0b7285}
      .failed{border:2px solid var(--bad);color:var(--bad);padding:.6em 1em;font-weight:600}
      .muted{opacity:.75}code{overflow-wrap:anywhere}
      """;

  private final StringBuilder body = new StringBuilder();
  private final String title;

  public Html(String title) {
    this.title = title;
    body.append("<h1>").append(escape(title)).append("</h1>\n");
  }

  /** Text as it may stand in HTML, attributes included. */
  public static String escape(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }

  public Html heading(String text) {
    body.append("<h2>").append(escape(text)).append("</h2>\n");
    return this;
  }

  public Html paragraph(String text) {
    body.append("<p>").append(escape(text)).append("</p>\n");
    return this;
  }

  /** The mark of a run that proves nothing. */
  public Html failure(String text) {
    body.append("<p class=\"failed\">").append(escape(text)).append("</p>\n");
    return this;
  }

  /** A table whose first row is its head. */
  public Html table(List<List<String>> rows) {
    body.append("<table>\n");
    for (int i = 0; i < rows.size(); i++) {
      String cell = i == 0 ? "th" : "td";
      body.append("<tr>");
      for (String text : rows.get(i)) {
        body.append('<').append(cell).append('>').append(escape(text));
        body.append("</").append(cell).append('>');
      }
      body.append("</tr>\n");
    }
    body.append("</table>\n");
    return this;
  }

  /** A drawing. */
  public Html plot(Plot plot) {
    body.append(plot.svg());
    return this;
  }

  /** Where the figures come from. */
  public Html origin(Origin origin) {
    body.append("<p class=\"muted\">");
    origin
        .asMap()
        .forEach(
            (name, value) ->
                body.append(name)
                    .append(": <code>")
                    .append(escape(value.toString()))
                    .append("</code><br>"));
    body.append("</p>\n");
    return this;
  }

  /** The same figures for programs, inside the page. */
  public Html data(Object value) {
    body.append("<script type=\"application/json\" id=\"data\">\n");
    body.append(Json.text(value)).append("</script>\n");
    return this;
  }

  /** The whole page. */
  public String page() {
    return "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
        + "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>"
        + escape(title)
        + "</title>\n<style>\n"
        + STYLE
        + "</style></head>\n<body>\n"
        + body
        + "</body></html>\n";
  }
}
