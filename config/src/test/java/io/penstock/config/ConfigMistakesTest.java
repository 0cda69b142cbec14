package io.penstock.config;

import static io.penstock.config.Samples.VALID;
import static io.penstock.config.Samples.lines;
import static io.penstock.config.Samples.loaded;
import static io.penstock.config.Samples.parse;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** One mistake at a time: the right line, the right path, words that help. */
class ConfigMistakesTest {

  /** Adds keys to {@code limits}, on line 10. */
  private static void limits(String keys, String... expected) {
    check(VALID + "limits: {" + keys + "}\n", expected);
  }

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
  void unknownKeys() {
    limits(
        "max-bdy: 1GiB",
        "10: limits.max-bdy: is not a key of this section; did you mean max-body?");
    limits(
        "maxBody: 1GiB",
        "10: limits.maxBody: is not a key of this section; did you mean max-body?");
    limits(
        "max-connections: 5",
        "10: limits.max-connections: is not a key of this section; it belongs under upstream.pool");
    limits(
        "colour: blue",
        "10: limits.colour: is not a key of this section, which knows max-request-line,"
            + " max-headers, max-metadata, max-body, max-xml-body, max-in-flight, drain-timeout");
    limits("<<: {}", "10: limits: merge keys (<<) are not used here; write the keys out");
    change("endpoints: [", "? [a]\n  : b\n  endpoints: [", "5: a key must be a word");
  }

  @Test
  void duplicateKeysAreNamedWithTheFirstLineAndStillChecked() {
    change(
        "  access-key: store\n",
        "  access-key: store\n  endpoints: [ftp://x]\n",
        "7: upstream.endpoints: is there twice, first on line 5",
        "7: upstream.endpoints[0]: must be a URL of the form http://HOST:PORT or https://HOST:PORT,"
            + " without path, query or user; it does not start with http:// or https://");
  }

  @Test
  void missingKeys() {
    check(
        "runtime: {}\n",
        "1: upstream: is missing; it needs endpoints, access-key, secret-key",
        "1: tenants: is missing; write tenants");
    change(
        "  secret-key: store-secret\n",
        "",
        "5: upstream.secret-key: is missing; write secret-key or secret-key-file, or anonymous: true");
    change(
        "{name: demo, access-key: demo, secret-key: demo-secret}",
        "{access-key: demo, secret-key: demo-secret}",
        "9: tenants[0].name: is missing; write name");
    change(
        "  - {name: demo, access-key: demo, secret-key: demo-secret}",
        "",
        "8: tenants: is missing; write tenants");
    change(
        "tenants:\n  - {name: demo, access-key: demo, secret-key: demo-secret}",
        "tenants: []",
        "8: tenants: must hold at least 1 item");
  }

  @Test
  void anEmptySectionHasItsDefaults() {
    check(VALID + "limits:\n  # max-body: 1GiB\n");
    check(VALID.replace("s3: {host: 127.0.0.1, port: 0}", "s3:"));
  }

  @Test
  void sizes() {
    limits("max-body: 8388608");
    limits("max-body: 5GB");
    limits("max-body: 5 GiB");
    limits("max-body: \"5gib\"");
    String size = "10: limits.max-body: must be a size such as 64KiB, 1MB or 5GiB";
    limits("max-body: 5G", size + "; a unit is written in full");
    limits("max-body: -1", size);
    limits("max-body: 9999999999TiB", size);
    limits("max-body: 60TiB", size + " from 1 to 50TiB");
    limits("max-body: 1.5GiB", size);
  }

  @Test
  void durations() {
    limits("drain-timeout: 0s");
    limits("drain-timeout: 90s");
    limits("drain-timeout: 1500ms");
    limits("drain-timeout: 1h");
    String duration = "10: limits.drain-timeout: must be a duration such as 500ms, 30s or 5m";
    limits("drain-timeout: 30", duration + "; a number alone has no unit");
    limits("drain-timeout: 30 sec", duration);
    limits("drain-timeout: 2h", duration + " from 0s to 1h");
  }

  @Test
  void numbersAndSwitches() {
    String number = "10: limits.max-in-flight: must be a whole number";
    limits("max-in-flight: \"100\"", number + " without quotes");
    limits("max-in-flight: 1e3", number);
    limits("max-in-flight: 0", number + " from 1 to 1000000");
    limits("max-in-flight: 99999999999", number);
    limits("max-in-flight: 4294967297", number);
    change(
        "port: 0}\n  admin",
        "port: 0, http2: yes}\n  admin",
        "2: listen.s3.http2: must be true or false");
    change(
        "port: 0}\n  admin",
        "port: 0, http2: 'true'}\n  admin",
        "2: listen.s3.http2: must be true or false without quotes");
  }

  @Test
  void shapes() {
    String flight = "10: limits.max-in-flight: ";
    limits("max-in-flight: [1]", flight + "must be a single value, not a list or a section");
    limits("max-in-flight: {a: 1}", flight + "must be a single value, not a list or a section");
    limits("max-in-flight: null", flight + "has no value; write one or remove the key");
    limits("max-in-flight: ", flight + "has no value; write one or remove the key");
    limits("max-in-flight: ''", flight + "is empty; write a value or remove the key");
    limits("max-in-flight: !!int 5", "10: tags (!name) are not used here");
    check(VALID + "limits: 5\n", "10: limits: must be a section of 'key: value' lines");
    check(VALID + "limits: [5]\n", "10: limits: must be a section of 'key: value' lines");
    change(
        "[http://127.0.0.1:8333]",
        "http://127.0.0.1:8333",
        "5: upstream.endpoints: must be a list: [a, b] or lines that start with '- '");
    check(
        VALID + "---\nlisten: {}\n",
        "10: a second document starts here; one file holds one configuration");
  }

  @Test
  void choices() {
    check(
        VALID + "runtime: {transport: io-uring}\n",
        "10: runtime.transport: must be one of auto, io_uring, epoll, nio; did you mean io_uring?");
    change(
        "access-key: store\n",
        "access-key: store\n  addressing: host\n",
        "7: upstream.addressing: must be one of path, virtual-host");
  }

  @Test
  void endpoints() {
    String url =
        "5: upstream.endpoints[0]: must be a URL of the form http://HOST:PORT or"
            + " https://HOST:PORT, without path, query or user";
    for (String wrong :
        new String[] {
          "http://store/bucket",
          "http://store?x=1",
          "http://me:pw@store",
          "http://store:0",
          "http://store:70000",
          "http://",
          "http:/store",
          "http://store:",
          "http://sto re"
        }) {
      change("http://127.0.0.1:8333", "\"" + wrong + "\"", hinted(url, wrong));
    }
    change("http://127.0.0.1:8333", "http://store_1:80", url + "; a host name cannot hold '_'");
    change("http://127.0.0.1:8333", "https://store.example.com/");
    change("http://127.0.0.1:8333", "\"http://[::1]:9000\"");
    change(
        "[http://127.0.0.1:8333]",
        "[http://a:1, http://b:1, http://a:1]",
        "5: upstream.endpoints[2]: is the same as upstream.endpoints[0] on line 5");
    change(
        "access-key: store\n",
        "access-key: store\n  addressing: virtual-host\n",
        "5: upstream.endpoints[0]: is an IP address, which cannot carry a bucket name; use a host"
            + " name or addressing: path");
  }

  private static String hinted(String message, String url) {
    return url.startsWith("http://")
        ? message
        : message + "; it does not start with http:// or https://";
  }

  @Test
  void listeners() {
    change(
        "{host: 127.0.0.1, port: 0}\n  admin: {host: 127.0.0.1, port: 0}",
        "{host: 0.0.0.0, port: 9000}\n  admin: {host: 127.0.0.1, port: 9000}",
        "3: listen.admin.port: is the port of listen.s3.port too; they need two ports, or two"
            + " addresses");
    change(
        "{host: 127.0.0.1, port: 0}\n  admin: {host: 127.0.0.1, port: 0}",
        "{port: 9001}",
        "2: listen.s3.port: is the port of listen.admin.port too; they need two ports, or two"
            + " addresses");
    change(
        "{host: 127.0.0.1, port: 0}\n  admin: {host: 127.0.0.1, port: 0}",
        "{host: 10.0.0.1, port: 9001}");
    change(
        "s3: {host: 127.0.0.1",
        "s3: {host: \"127.0.0.1:9000\"",
        "2: listen.s3.host: must be a host name or an IP address, without a port");
    change("s3: {host: 127.0.0.1", "s3: {host: \"::1\"");
    change("s3: {host: 127.0.0.1", "s3: {host: localhost");
    change(
        "s3: {host: 127.0.0.1",
        "s3: {domains: [s3.example.com, .example.com, s3.example.com], host: 127.0.0.1",
        "2: listen.s3.domains[1]: must be a host name without scheme, port or dot in front",
        "2: listen.s3.domains[2]: is the same as listen.s3.domains[0] on line 2");
  }

  @Test
  void betweenLimits() {
    limits(
        "max-xml-body: 8MiB, max-body: 1MiB",
        "10: limits.max-xml-body: must not be more than limits.max-body");
    limits("max-body: 1MiB", "10: limits.max-body: must not be less than limits.max-xml-body");
    limits(
        "max-metadata: 128KiB",
        "10: limits.max-metadata: must not be more than limits.max-headers");
    change(
        "access-key: store\n",
        "access-key: store\n  retry: {initial-backoff: 5s}\n",
        "7: upstream.retry.initial-backoff: must not be more than upstream.retry.max-backoff");
    change(
        "tenants:\n",
        "cache: {memory: 0, disk: {path: /var/cache/penstock}}\ntenants:\n",
        "8: cache.disk.path: cannot go together with cache.memory; blocks pass through memory");
  }
}
