package io.penstock.gateway.clients;

import static io.penstock.gateway.clients.Judge.MINIO_JAVA;
import static io.penstock.gateway.clients.Judge.RCLONE;
import static io.penstock.gateway.clients.Judge.S3CMD;
import static io.penstock.gateway.clients.Judge.S3FS;
import static io.penstock.gateway.clients.Judge.SDK_CRT;
import static io.penstock.gateway.clients.OddKey.DOT_SEGMENTS;
import static io.penstock.gateway.clients.OddKey.DOUBLE_SLASH;
import static io.penstock.gateway.clients.OddKey.ENCODED_SLASH;
import static io.penstock.gateway.clients.OddKey.LEADING_DOTS;
import static io.penstock.gateway.clients.OddKey.LEADING_SLASH;
import static io.penstock.gateway.clients.OddKey.LONGEST;
import static io.penstock.gateway.clients.OddKey.PLUS_AND_SPACE;
import static io.penstock.gateway.clients.OddKey.PUNCTUATION;
import static io.penstock.gateway.clients.OddKey.TRAILING_SLASH;
import static io.penstock.gateway.clients.Step.COPY;
import static io.penstock.gateway.clients.Step.DELETE_MANY;
import static io.penstock.gateway.clients.Step.PARTS;
import static io.penstock.gateway.clients.Step.ROUND_TRIP;
import static io.penstock.gateway.clients.StoreUnderTest.Kind.EMBEDDED;
import static io.penstock.gateway.clients.StoreUnderTest.Kind.RADOSGW;

import io.penstock.gateway.clients.StoreUnderTest.Kind;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Something a client, or a store behind it, cannot do even without a gateway. The contract proves
 * each line against the store itself every time it uses it: a line that is no longer true fails the
 * run.
 *
 * @param stores where it holds
 */
record Exemption(Judge judge, Set<Kind> stores, Set<Step> steps, Set<OddKey> keys, String reason) {
  private static final Set<Kind> BOTH = EnumSet.allOf(Kind.class);
  private static final Set<Step> ONE_KEY = EnumSet.of(ROUND_TRIP, COPY);
  private static final Set<Step> KEYS = EnumSet.of(ROUND_TRIP, COPY, DELETE_MANY);
  private static final Set<OddKey> EMPTY_SEGMENTS = EnumSet.of(ENCODED_SLASH, DOUBLE_SLASH);
  private static final Set<OddKey> DOTS = EnumSet.of(DOT_SEGMENTS, LEADING_DOTS);
  private static final Set<OddKey> NOT_A_PATH =
      EnumSet.of(
          ENCODED_SLASH, DOUBLE_SLASH, LEADING_SLASH, DOT_SEGMENTS, LEADING_DOTS, TRAILING_SLASH);

  /** All of them: whatever is not named here must work through the gateway. */
  static final List<Exemption> TABLE =
      List.of(
          new Exemption(MINIO_JAVA, BOTH, ONE_KEY, DOTS, "refuses names with a . or .. segment"),
          new Exemption(
              MINIO_JAVA,
              BOTH,
              ONE_KEY,
              EMPTY_SEGMENTS,
              "drops empty segments from the path it sends"),
          new Exemption(
              MINIO_JAVA,
              BOTH,
              EnumSet.of(COPY),
              EnumSet.of(LEADING_SLASH),
              "drops empty segments from the source of a copy"),
          new Exemption(S3FS, BOTH, KEYS, NOT_A_PATH, "the key is not a normal path of a file"),
          new Exemption(
              S3FS,
              EnumSet.of(RADOSGW),
              ONE_KEY,
              EnumSet.of(LONGEST),
              "asks for the key with a slash behind it, which is longer than Ceph allows"),
          new Exemption(RCLONE, BOTH, KEYS, NOT_A_PATH, "the key is not a normal path of a file"),
          new Exemption(
              S3CMD,
              BOTH,
              ONE_KEY,
              EnumSet.of(PUNCTUATION),
              "takes ? and * for wildcards in a source"),
          new Exemption(
              S3CMD,
              BOTH,
              ONE_KEY,
              EnumSet.of(TRAILING_SLASH),
              "appends the file's name to a target that ends in a slash"),
          new Exemption(
              SDK_CRT,
              EnumSet.of(EMBEDDED),
              EnumSet.of(PARTS),
              EnumSet.of(PLUS_AND_SPACE),
              "finds no upload id in s3proxy's answer"));

  static Optional<Exemption> of(Judge judge, Kind store, Step step, OddKey key) {
    return TABLE.stream()
        .filter(e -> e.judge == judge)
        .filter(e -> e.stores.contains(store) && e.steps.contains(step) && e.keys.contains(key))
        .findFirst();
  }
}
