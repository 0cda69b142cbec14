package io.penstock.k8s;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** values.schema.json refuses mistakes that people make, and names the place. */
class ValuesSchemaTest {

  @Test
  void whatTheOtherTestsUseIsRight() {
    for (String name : List.of("plain.yaml", "everything.yaml")) {
      assertThatCode(() -> Chart.render(List.of(Chart.values(name)))).doesNotThrowAnyException();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "kind=StatefulSet, kind",
    "replica=3, replica",
    "store.endpoints[0]=store:8333, endpoints",
    "store.credentialSecret=x, credentialSecret",
    "tenants[0].secret=Training_Keys, secret",
    "tenants[0].policy.rules[0].access[0]=reed, access",
    "service.port=90000, port",
    "diskCache.size=64GB, size",
    "architectures[0]=x86_64, architectures",
    "preStopSeconds=0, preStopSeconds",
    "loadTest.enabled=true, loadTest",
    "seccompProfile.type=Unconfined, seccompProfile",
  })
  void aMistakeIsRefusedAndNamed(String set, String named) {
    assertThatThrownBy(() -> Chart.render(List.of(Chart.values("plain.yaml")), set))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("values don't meet the specifications of the schema")
        .hasMessageContaining(named);
  }

  @Test
  void whatHasNoDefaultIsAskedFor() {
    assertThatThrownBy(() -> Chart.render(List.of()))
        .hasMessageContaining("endpoints")
        .hasMessageContaining("credentialsSecret")
        .hasMessageContaining("tenants");
  }
}
