package io.penstock.gateway.tenant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.config.Secret;
import io.penstock.config.TenantConfig;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TenantDirectoryTest {
  private static final TenantConfig DEMO = tenant("demo", "AKDEMO", false);
  private static final TenantConfig PUBLIC = tenant("public", "", true);

  private static TenantConfig tenant(String name, String accessKey, boolean anonymous) {
    return new TenantConfig(
        name, accessKey, new Secret(accessKey + "-secret"), anonymous, Optional.empty());
  }

  @Test
  void findsATenantAndItsSecretByAccessKey() {
    TenantDirectory directory = new TenantDirectory(List.of(DEMO, PUBLIC));
    assertThat(directory.byAccessKey("AKDEMO").map(Tenant::name)).contains("demo");
    assertThat(directory.find("AKDEMO").orElseThrow().secretKey().reveal())
        .isEqualTo("AKDEMO-secret");
    assertThat(directory.find("akdemo")).isEmpty();
    assertThat(directory.byAccessKey("other")).isEmpty();
  }

  @Test
  void theAnonymousTenantCannotBeSignedFor() {
    TenantDirectory directory = new TenantDirectory(List.of(DEMO, PUBLIC));
    assertThat(directory.anonymous().map(Tenant::name)).contains("public");
    assertThat(directory.find("")).isEmpty();
    assertThat(new TenantDirectory(List.of(DEMO)).anonymous()).isEmpty();
  }

  @Test
  void ambiguousTenantsAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new TenantDirectory(List.of(PUBLIC, tenant("too", "", true))));
    assertThatThrownBy(() -> new TenantDirectory(List.of(DEMO, tenant("other", "AKDEMO", false))))
        .isInstanceOf(IllegalArgumentException.class)
        .message()
        .doesNotContain("secret");
  }
}
