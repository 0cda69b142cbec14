package io.penstock.gateway.sigv4;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.config.Secret;
import org.junit.jupiter.api.Test;

class SigningKeysTest {
  private static final Secret SECRET = new Secret("wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY");

  private static CredentialScope day(int day) {
    return new CredentialScope("201202" + day, "us-east-1", "iam");
  }

  /** AWS general reference, "Deriving the signing key". */
  @Test
  void derivesThePublishedKey() {
    assertThat(Sha256.hex(SigningKeys.derive(SECRET, day(15)).bytes()))
        .isEqualTo("f4780e2d9f65fa895f9c67b32ce1baf0b0d8a43505a000a1a9e090d414db404d");
  }

  @Test
  void remembersNoMoreThanItMay() {
    SigningKeys keys = new SigningKeys(3);
    for (int i = 10; i < 100; i++) {
      SigningKey key = keys.get(SECRET, day(i));
      keys.remember(SECRET, day(i), key);
      assertThat(keys.get(SECRET, day(i)).bytes()).isEqualTo(key.bytes());
      assertThat(keys.size()).isLessThanOrEqualTo(3);
    }
  }

  @Test
  void aKeyThatWasNotProvedIsNotKept() {
    SigningKeys keys = new SigningKeys(3);
    keys.get(SECRET, day(10));
    assertThat(keys.size()).isZero();
  }

  @Test
  void aNewSecretHasANewKey() {
    SigningKeys keys = new SigningKeys(3);
    SigningKey old = keys.get(SECRET, day(10));
    keys.remember(SECRET, day(10), old);
    assertThat(keys.get(new Secret("rotated"), day(10)).bytes()).isNotEqualTo(old.bytes());
    assertThat(old).hasToString("***");
  }
}
