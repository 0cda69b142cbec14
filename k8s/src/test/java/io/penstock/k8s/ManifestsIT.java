package io.penstock.k8s;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The Kubernetes API's schemas, and those of the Prometheus operator, take what is rendered. */
class ManifestsIT {
  private static final Path EVERYTHING = Chart.values("everything.yaml");

  @Test
  void theSchemasHaveNothingToSay() throws Exception {
    String rendered =
        String.join(
            "\n---\n",
            Chart.render(List.of(Chart.values("plain.yaml"))),
            Chart.render(List.of(EVERYTHING)),
            Chart.render(List.of(EVERYTHING), "kind=DaemonSet"),
            Chart.render(
                List.of(Chart.FOLDER.resolve("values-dpu.yaml"), Chart.values("plain.yaml"))));
    Judges.Verdict verdict = Judges.kubernetes(rendered);
    assertThat(verdict.said()).contains(" 0 complaints");
    assertThat(verdict.exit()).isZero();
  }

  /** The judge can say no: a wrong type, a missing field, a misspelt one, a resource of others. */
  @Test
  void theSchemasRefusePlantedMistakes() throws Exception {
    String rendered = Chart.render(List.of(EVERYTHING));
    Judges.Verdict verdict =
        Judges.kubernetes(
            String.join(
                "\n---\n",
                planted(rendered, "containerPort: 9000", "containerPort: s3"),
                planted(rendered, "livenessProbe:", "livenesProbe:"),
                planted(rendered, "kind: Deployment, name:", "kind: Deployment, nam:"),
                planted(rendered, "port: admin, path: /metrics", "port: 7, path: /metrics")));
    assertThat(verdict.exit()).isOne();
    assertThat(verdict.said())
        .contains("containerPort must be integer")
        .contains("'\"livenesProbe\"' does not exist")
        .contains("must have required property name")
        .contains("ServiceMonitor gw-penstock: data/spec/endpoints/0/port must be string");
  }

  private static String planted(String rendered, String right, String wrong) {
    assertThat(rendered).contains(right);
    return rendered.replace(right, wrong);
  }
}
