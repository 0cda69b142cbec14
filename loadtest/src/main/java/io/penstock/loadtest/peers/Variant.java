package io.penstock.loadtest.peers;

import io.penstock.loadtest.store.Knobs;

/**
 * One way to run one peer: which script, in which mode, with or without TLS, before which store.
 * {@code label} is what the table calls it. The script {@code direct} is no proxy at all.
 */
record Variant(String label, String script, String mode, boolean tls, Knobs store, String extra) {
  static final String DIRECT = "direct";

  static Variant direct(Knobs store) {
    return new Variant(DIRECT, DIRECT, "", false, store, "");
  }

  static Variant proxy(String peer) {
    return new Variant(peer, peer, "proxy", false, Knobs.FAST, "");
  }

  /** This variant under another name and in another mode. */
  Variant in(String mode) {
    return new Variant(script + " " + mode, script, mode, tls, store, extra);
  }

  Variant overTls() {
    return new Variant(label, script, mode, true, store, extra);
  }

  Variant before(Knobs other) {
    return new Variant(label, script, mode, tls, other, extra);
  }

  /** The gateway with the sections of the YAML file {@code extra} added to its configuration. */
  Variant with(String name, String extra) {
    return new Variant(name, script, mode, tls, store, extra);
  }

  /** Neither the client signs nor the gateway. */
  boolean unsigned() {
    return mode.equals("unsigned");
  }

  boolean isDirect() {
    return script.equals(DIRECT);
  }

  /** Variants with the same key can share one process: the label is only a name. */
  Variant process() {
    return new Variant("", script, mode, tls, store, extra);
  }
}
