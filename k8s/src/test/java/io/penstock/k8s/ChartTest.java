package io.penstock.k8s;

import static org.assertj.core.api.Assertions.assertThat;

import com.marcnuri.helm.Helm;
import com.marcnuri.helm.LintResult;
import java.io.IOException;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What docs/kubernetes.md promises of the chart is in the rendered manifests. */
class ChartTest {
  private static final List<Path> PLAIN = List.of(Chart.values("plain.yaml"));
  private static final List<Path> EVERYTHING = List.of(Chart.values("everything.yaml"));
  private static final List<Path> DPU =
      List.of(Chart.FOLDER.resolve("values-dpu.yaml"), Chart.values("plain.yaml"));
  private static final String POD = "spec.template.spec.";
  private static final String CONTAINER = POD + "containers.0.";

  @Test
  void helmsLinterHasNothingToSay(@TempDir Path folder) throws Exception {
    LintResult result = new Helm(withRequiredValues(folder)).lint().strict().call();
    assertThat(result.isFailed()).isFalse();
    assertThat(result.getMessages()).filteredOn(it -> !it.contains("icon")).isEmpty();
  }

  /** The linter takes no values, so they are written into a copy of the chart. */
  private static Path withRequiredValues(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(Chart.FOLDER, FileVisitOption.FOLLOW_LINKS)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Path copy = folder.resolve(Chart.FOLDER.relativize(file).toString());
        Files.createDirectories(copy.getParent());
        Files.copy(file, copy);
      }
    }
    Path values = folder.resolve("values.yaml");
    String text = Files.readString(values);
    String filled =
        text.replace("endpoints: []", "endpoints: [http://store:8333]")
            .replace("credentialsSecret: \"\"", "credentialsSecret: store-keys")
            .replace("\ntenants: []", "\ntenants: [{name: t, secret: t-keys}]");
    assertThat(filled).isNotEqualTo(text);
    Files.writeString(values, filled);
    return folder;
  }

  @ParameterizedTest
  @ValueSource(strings = {"Deployment", "DaemonSet"})
  void neitherRootNorWritingNorCapabilities(String kind) {
    Manifest workload = workload(Chart.manifests(EVERYTHING, "kind=" + kind));
    for (Manifest it : List.of(workload, loadTest())) {
      assertThat(it.at(POD + "securityContext.runAsNonRoot")).isEqualTo(true);
      assertThat(it.number(POD + "securityContext.runAsUser")).isPositive();
      assertThat(it.text(POD + "securityContext.seccompProfile.type")).isEqualTo("RuntimeDefault");
      assertThat(it.at(POD + "automountServiceAccountToken")).isEqualTo(false);
      assertThat(it.at(CONTAINER + "securityContext.readOnlyRootFilesystem")).isEqualTo(true);
      assertThat(it.at(CONTAINER + "securityContext.allowPrivilegeEscalation")).isEqualTo(false);
      assertThat(it.list(CONTAINER + "securityContext.capabilities.drop"))
          .isEqualTo(List.of("ALL"));
    }
  }

  @Test
  void theGatewaysSecretsAreFilesAndNothingElse() {
    List<Manifest> all = Chart.manifests(EVERYTHING);
    assertThat(all).noneMatch(it -> it.kind().equals("Secret"));
    Manifest workload = workload(all);
    assertThat(workload.list(CONTAINER + "env").toString()).doesNotContain("secretKeyRef");
    assertThat(workload.list(POD + "volumes").toString())
        .contains("store-keys", "store-ca", "front-tls", "front-ca", "training-keys");
    assertThat(Manifest.named(all, "ConfigMap", "gw-penstock").file("gateway.yaml"))
        .doesNotContain("access-key:", "secret-key:", "session-token:");
  }

  @Test
  void everyVolumeIsMountedAndEveryMountHasAVolume() {
    Manifest workload = workload(Chart.manifests(EVERYTHING));
    assertThat(names(workload.list(CONTAINER + "volumeMounts")))
        .containsExactlyInAnyOrderElementsOf(names(workload.list(POD + "volumes")));
  }

  @Test
  void theThreeProbesAskDifferentThings() {
    Manifest workload = workload(Chart.manifests(PLAIN));
    assertThat(workload.text(CONTAINER + "startupProbe.httpGet.path")).isEqualTo("/health/live");
    assertThat(workload.text(CONTAINER + "livenessProbe.httpGet.path")).isEqualTo("/health/live");
    assertThat(workload.text(CONTAINER + "readinessProbe.httpGet.path")).isEqualTo("/health/ready");
    assertThat(workload.number(CONTAINER + "livenessProbe.failureThreshold")).isGreaterThan(1);
  }

  @Test
  void aPodHasTimeToBeForgottenAndToDrain() {
    List<Manifest> all = Chart.manifests(PLAIN, "preStopSeconds=7", "drainSeconds=90");
    Manifest workload = workload(all);
    assertThat(workload.number(CONTAINER + "lifecycle.preStop.sleep.seconds")).isEqualTo(7);
    assertThat(workload.number(POD + "terminationGracePeriodSeconds")).isGreaterThan(97);
    assertThat(Manifest.named(all, "ConfigMap", "gw-penstock").file("gateway.yaml"))
        .contains("drain-timeout: 90s");
  }

  @Test
  void aDeploymentIsSpreadKeptUpAndScaledOnRequestsInFlight() {
    List<Manifest> all = Chart.manifests(EVERYTHING);
    assertThat(workload(all).has("spec.replicas")).isFalse();
    assertThat(workload(all).has(POD + "topologySpreadConstraints")).isTrue();
    assertThat(Manifest.one(all, "PodDisruptionBudget").number("spec.maxUnavailable")).isOne();
    assertThat(Manifest.one(all, "HorizontalPodAutoscaler").text("spec.metrics.0.pods.metric.name"))
        .isEqualTo("penstock_requests_in_flight");
    assertThat(workload(Chart.manifests(PLAIN)).number("spec.replicas")).isEqualTo(2);
  }

  @Test
  void aDaemonSetRunsOnDpuNodesAndServesItsOwnNode() {
    List<Manifest> all = Chart.manifests(DPU);
    Manifest workload = workload(all);
    assertThat(workload.kind()).isEqualTo("DaemonSet");
    assertThat(workload.at(POD + "nodeSelector")).isEqualTo(Map.of("penstock.io/dpu", "true"));
    assertThat(workload.text(POD + "affinity.nodeAffinity"))
        .contains("kubernetes.io/arch, ", "arm64");
    assertThat(workload.at(POD + "hostNetwork")).isEqualTo(true);
    assertThat(workload.number(CONTAINER + "ports.0.hostPort")).isEqualTo(9000);
    assertThat(Manifest.named(all, "Service", "gw-penstock").text("spec.internalTrafficPolicy"))
        .isEqualTo("Local");
    assertThat(Manifest.none(all, "PodDisruptionBudget")).isTrue();
    assertThat(Manifest.none(all, "HorizontalPodAutoscaler")).isTrue();
  }

  @Test
  void theNetworkPolicyNamesTheStoresPorts() {
    Manifest plain = Manifest.one(Chart.manifests(PLAIN), "NetworkPolicy");
    assertThat(plain.text("spec.egress.1.ports")).contains("port=8333", "port=443");
    assertThat(plain.has("spec.egress.1.to")).isFalse();
    Manifest all = Manifest.one(Chart.manifests(EVERYTHING), "NetworkPolicy");
    assertThat(all.text("spec.egress.1.to")).contains("192.0.2.0/24");
    assertThat(all.text("spec.ingress.0.from")).contains("gpu=true");
    assertThat(all.text("spec.ingress.1.from")).contains("monitoring");
  }

  @Test
  void theGeneratedRulesAndDashboardAreCarriedAsTheyAre() throws IOException {
    List<Manifest> all = Chart.manifests(EVERYTHING);
    Manifest rules = Chart.parse(Files.readString(Path.of("alerts", "penstock.yaml"))).getFirst();
    assertThat(Manifest.one(all, "PrometheusRule").at("spec")).isEqualTo(rules.tree());
    assertThat(
            Manifest.named(all, "ConfigMap", "gw-penstock-dashboard").file("penstock.json").strip())
        .isEqualTo(Files.readString(Path.of("dashboards", "penstock.json")).strip());
  }

  @Test
  void onlyWhatARunningGatewayCannotTakeOnRollsThePods() {
    String before = fixed(PLAIN);
    assertThat(fixed(PLAIN, "config.log.access=none")).isEqualTo(before);
    assertThat(fixed(PLAIN, "config.limits.max-in-flight=9")).isEqualTo(before);
    assertThat(fixed(PLAIN, "drainSeconds=77")).isEqualTo(before);
    assertThat(fixed(PLAIN, "tenants[0].policy.rules[0].bucket=other")).isEqualTo(before);
    assertThat(fixed(PLAIN, "config.limits.max-headers=32KiB")).isNotEqualTo(before);
    assertThat(fixed(PLAIN, "config.runtime.transport=epoll")).isNotEqualTo(before);
    assertThat(fixed(PLAIN, "store.region=eu-west-1")).isNotEqualTo(before);
  }

  private static String fixed(List<Path> values, String... sets) {
    return workload(Chart.manifests(values, sets))
        .at("spec.template.metadata.annotations")
        .toString();
  }

  private static Manifest loadTest() {
    return Manifest.one(Chart.manifests(EVERYTHING), "Job");
  }

  private static Manifest workload(List<Manifest> all) {
    return all.stream()
        .filter(it -> it.kind().equals("Deployment") || it.kind().equals("DaemonSet"))
        .findFirst()
        .orElseThrow();
  }

  private static List<String> names(List<?> named) {
    return named.stream().map(it -> String.valueOf(((Map<?, ?>) it).get("name"))).toList();
  }
}
