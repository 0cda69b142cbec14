package io.penstock.gateway.observe.catalogue;

import io.penstock.gateway.observe.catalogue.Panel.Row;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;

/** The dashboard in Grafana's form. */
public final class Dashboard {
  private static final int COLUMNS = 24;
  private static final int WIDTH = 8;
  private static final int HEIGHT = 7;
  private static final JsonObject SOURCE =
      new JsonObject().put("type", "prometheus").put("uid", "${source}");

  private Dashboard() {}

  /** JSON for Grafana's import, or for a file it provisions dashboards from. */
  public static String json(Catalogue catalogue) {
    return new JsonObject()
            .put("uid", "penstock")
            .put("title", "Penstock")
            .put("tags", new JsonArray().add("penstock"))
            .put("timezone", "browser")
            .put("schemaVersion", 39)
            .put("refresh", "10s")
            .put("time", new JsonObject().put("from", "now-30m").put("to", "now"))
            .put("templating", new JsonObject().put("list", variables()))
            .put("panels", panels(DashboardRows.of(catalogue)))
            .encodePrettily()
        + "\n";
  }

  private static JsonArray variables() {
    return new JsonArray()
        .add(
            new JsonObject()
                .put("name", "source")
                .put("label", "Prometheus")
                .put("type", "datasource")
                .put("query", "prometheus"))
        .add(
            new JsonObject()
                .put("name", "instance")
                .put("label", "Gateway")
                .put("type", "query")
                .put("datasource", SOURCE)
                .put("query", "label_values(penstock_build_info, instance)")
                .put("includeAll", true)
                .put("multi", true)
                .put("allValue", ".*")
                .put("refresh", 2));
  }

  private static JsonArray panels(List<Row> rows) {
    JsonArray panels = new JsonArray();
    int top = 0;
    int id = 1;
    for (Row row : rows) {
      panels.add(
          new JsonObject()
              .put("id", id++)
              .put("type", "row")
              .put("title", row.title())
              .put("collapsed", false)
              .put("gridPos", place(0, top++, COLUMNS, 1)));
      int left = 0;
      for (Panel panel : row.panels()) {
        if (left == COLUMNS) {
          left = 0;
          top += HEIGHT;
        }
        panels.add(graph(panel, id++).put("gridPos", place(left, top, WIDTH, HEIGHT)));
        left += WIDTH;
      }
      top += HEIGHT;
    }
    return panels;
  }

  private static JsonObject graph(Panel panel, int id) {
    JsonArray targets = new JsonArray();
    for (Panel.Query query : panel.queries()) {
      targets.add(
          new JsonObject()
              .put("refId", String.valueOf((char) ('A' + targets.size())))
              .put("datasource", SOURCE)
              .put("expr", query.expression().replace("$on", "instance=~\"$instance\""))
              .put("legendFormat", query.legend()));
    }
    return new JsonObject()
        .put("id", id)
        .put("type", "timeseries")
        .put("title", panel.title())
        .put("datasource", SOURCE)
        .put(
            "fieldConfig",
            new JsonObject()
                .put(
                    "defaults",
                    new JsonObject()
                        .put("unit", panel.unit())
                        .put("min", 0)
                        .put(
                            "custom",
                            new JsonObject().put("fillOpacity", 10).put("showPoints", "never")))
                .put("overrides", new JsonArray()))
        .put("targets", targets);
  }

  private static JsonObject place(int left, int top, int width, int height) {
    return new JsonObject().put("x", left).put("y", top).put("w", width).put("h", height);
  }

  /** Every expression of the dashboard, for who wants to try them. */
  public static List<String> expressions(String json) {
    List<String> expressions = new ArrayList<>();
    for (Object panel : new JsonObject(json).getJsonArray("panels")) {
      JsonArray targets = ((JsonObject) panel).getJsonArray("targets", new JsonArray());
      targets.forEach(it -> expressions.add(((JsonObject) it).getString("expr")));
    }
    return expressions;
  }
}
