package io.penstock.gateway.sigv4;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.config.Secret;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class SigningKeysTest {
  private static final Secret SECRET = new Secret("wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY");

  private static CredentialScope day(int day) {
    return new CredentialScope("201202" + day, "us-east-1", "iam");
  }

  private static String sign(SigningKey key) {
    return key.sign(new ByteArray(8).add("text"));
  }

  /** RFC 4231, test case 2: a key shorter than a block. */
  @Test
  void signsAsHmacIsPublished() {
    byte[] jefe = "Jefe".getBytes(StandardCharsets.US_ASCII);
    assertThat(new SigningKey(jefe).sign(new ByteArray(8).add("what do ya want for nothing?")))
        .isEqualTo("5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
  }

  /** AWS general reference, "Deriving the signing key". */
  @Test
  void derivesThePublishedKey() {
    assertThat(Sha256.hex(SigningKeys.derive(SECRET, day(15))))
        .isEqualTo("f4780e2d9f65fa895f9c67b32ce1baf0b0d8a43505a000a1a9e090d414db404d");
  }

  @Test
  void remembersNoMoreThanItMay() {
    SigningKeys keys = new SigningKeys(3);
    for (int i = 10; i < 100; i++) {
      SigningKey key = keys.get(SECRET, day(i));
      keys.remember(SECRET, day(i), key);
      assertThat(sign(keys.get(SECRET, day(i)))).isEqualTo(sign(key));
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
    assertThat(sign(keys.get(new Secret("rotated"), day(10)))).isNotEqualTo(sign(old));
    assertThat(old).hasToString("***");
  }
}
