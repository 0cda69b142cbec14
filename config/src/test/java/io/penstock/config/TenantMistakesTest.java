package io.penstock.config;

import static io.penstock.config.Samples.VALID;
import static io.penstock.config.Samples.lines;
import static io.penstock.config.Samples.loaded;
import static io.penstock.config.Samples.parse;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Mistakes around tenants, policies and secrets, one at a time. */
class TenantMistakesTest {

  /** Replaces a piece of the valid file. */
  private static void change(String from, String to, String... expected) {
    assertThat(VALID).contains(from);
    check(VALID.replace(from, to), expected);
  }

  private static void check(String yaml, String... expected) {
    if (expected.length == 0) {
      loaded(parse(yaml));
    } else {
      assertThat(lines(parse(yaml))).containsExactly(expected);
    }
  }

  @Test
  void tenants() {
    String demo = "  - {name: demo, access-key: demo, secret-key: demo-secret}\n";
    check(
        VALID + "  - {name: other, access-key: demo, secret-key: x}\n",
        "10: tenants[1].access-key: is the same as tenants[0].access-key on line 9");
    check(VALID + "  - {name: public, anonymous: true}\n");
    check(
        VALID + "  - {name: public, anonymous: true}\n  - {name: public2, anonymous: true}\n",
        "11: tenants[2].anonymous: only one tenant can be anonymous, and tenants[1].anonymous on"
            + " line 10 is");
    check(
        VALID + "  - {name: public, anonymous: true, secret-key: x}\n",
        "10: tenants[1].secret-key: cannot be set when anonymous is true; remove one of them");
    check(
        VALID + "  - {name: public, anonymous: maybe}\n",
        "10: tenants[1].anonymous: must be true or false");
    check(
        VALID.replace(demo, "  - {name: a b, access-key: a/b, secret-key: x}\n"),
        "9: tenants[0].name: must be 1 to 63 letters, digits, dots, dashes or underscores, starting"
            + " with a letter or digit",
        "9: tenants[0].access-key: must be 1 to 128 visible ASCII characters without '/', ',' or"
            + " '='");
  }

  @Test
  void aPublicStoreHasNoKeys() {
    String keys = "  access-key: store\n  secret-key: store-secret\n";
    change(keys, "  anonymous: true\n");
    change(
        keys,
        "  anonymous: true\n  access-key: store\n  session-token: x\n",
        "7: upstream.access-key: cannot be set when anonymous is true; remove one of them",
        "8: upstream.session-token: cannot be set when anonymous is true; remove one of them");
    change(
        keys,
        "  anonymous: false\n  access-key: store\n",
        "5: upstream.secret-key: is missing; write secret-key or secret-key-file, or anonymous: true");
  }

  @Test
  void policies() {
    String tenant = "  - {name: t, access-key: t, secret-key: x, policy: %s}\n";
    check(
        VALID
            + tenant.formatted(
                "{rules: [{bucket: \"train-*\", prefix: a/, access: [read]}, {bucket: \"*\", access:"
                    + " [read, write, admin]}]}"));
    String rules = "10: tenants[1].policy.rules";
    check(VALID + tenant.formatted(""), rules + ": is missing; write rules");
    check(VALID + tenant.formatted("{rules: []}"), rules + ": must hold at least 1 item");
    check(
        VALID + tenant.formatted("{rules: [{bucket: a*b, access: [red]}]}"),
        rules + "[0].bucket: must be a bucket name, the start of one followed by '*', or '*'",
        rules + "[0].access[0]: must be one of read, write, admin; did you mean read?");
    check(
        VALID + tenant.formatted("{rules: [{bucket: a, access: [read, read]}]}"),
        rules + "[0].access[1]: is the same as tenants[1].policy.rules[0].access[0] on line 10");
  }

  @Test
  void secretsWithLineBreaks() {
    change(
        "secret-key: store-secret\n",
        "secret-key: |\n    abc\n",
        "7: upstream.secret-key: holds a line break or another control character; remove it");
  }

  /** What stands in the wrong place may be a secret. */
  @Test
  void wordsThatMayBeSecretsAreNotRepeated() {
    change(
        "secret-key: demo-secret}",
        "secret-key:demo-secret}",
        "9: tenants[0].secret-key: is missing; write secret-key or secret-key-file, or anonymous:"
            + " true",
        "9: tenants[0]: this is not a key of this section; put a space after the ':'");
    change(
        "access-key: demo, secret-key: demo-secret}",
        "access-key: demo, hunter2, secret-key: demo-secret}",
        "9: tenants[0]: this is not a key of this section, which knows name, access-key,"
            + " access-key-file, secret-key, secret-key-file, anonymous, policy");
    change(
        "port: 0}\n  admin",
        "port: hunter2}\n  admin",
        "2: listen.s3.port: must be a whole number");
    change(
        "secret-key: demo-secret}",
        "secret-key: !hunter!2 x}",
        "9: tags (!name) are not used here; remove it");
  }
}
