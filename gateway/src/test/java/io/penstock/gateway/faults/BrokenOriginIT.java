package io.penstock.gateway.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.gateway.testing.FaultyStore.Script;
import io.penstock.gateway.testing.LeakWatch;
import io.penstock.gateway.testing.RawClient.Answer;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The origin breaks off a body: the client gets every byte of one version, or no clean end. */
@ExtendWith(LeakWatch.class)
class BrokenOriginIT {
  private static final byte[] OBJECT = Lab.bytes(300_000);
  private static final Map<String, String> VERSION = Map.of("ETag", "\"v1\"");
  private static final int BROKEN_AT = 123_456;

  /** How a connection can die. */
  enum Death {
    CLOSE,
    RESET,
    STALL
  }

  private static Script dies(Death death, byte[] head, byte[] part) {
    return peer -> {
      peer.readRequest();
      peer.send(Lab.concat(head, part));
      switch (death) {
        case CLOSE -> peer.close();
        case RESET -> peer.reset();
        case STALL -> peer.awaitEnd();
      }
    };
  }

  private static Script firstPart(Death death, Map<String, String> fields) {
    return dies(death, Lab.head("200 OK", fields, OBJECT.length), Arrays.copyOf(OBJECT, BROKEN_AT));
  }

  /** Answers a range request for all that is missing, whatever arrived before. */
  private static Script rest(String etag) {
    return peer -> {
      String head = peer.readRequest();
      if (head == null) {
        return;
      }
      int from = Integer.parseInt(head.replaceAll("(?s).*[Rr]ange: bytes=([0-9]+)-.*", "$1"));
      byte[] rest = Arrays.copyOfRange(OBJECT, from, OBJECT.length);
      peer.send(
          Lab.response(
              "206 Partial Content",
              Map.of(
                  "ETag",
                  etag,
                  "Content-Range",
                  "bytes %d-%d/%d".formatted(from, OBJECT.length - 1, OBJECT.length)),
              rest));
      peer.awaitEnd();
    };
  }

  @ParameterizedTest
  @EnumSource
  void aBodyThatBreaksGoesOnWhereItStopped(Death death) throws Exception {
    try (Lab lab = Lab.configured(Lab.QUICK, "", firstPart(death, VERSION), rest("\"v1\""))) {
      Answer answer = lab.get("/b/k");
      assertThat(answer.status()).isEqualTo(200);
      assertThat(answer.clean()).isTrue();
      assertThat(answer.body()).isEqualTo(OBJECT);
      assertThat(lab.requests("GET /b/k ")).hasSize(2);
      assertThat(lab.requests("GET /b/k ").get(1))
          .containsIgnoringCase("if-match: \"v1\"")
          .containsPattern("(?i)range: bytes=[0-9]+-299999");
      assertThat(lab.probe().metric("penstock_upstream_resumes_total")).isEqualTo(1);
      assertThat(lab.probe().metric("penstock_upstream_truncated_total")).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource
  void aBodyOfNoKnownVersionNeverEndsCleanly(Death death) throws Exception {
    try (Lab lab = Lab.configured(Lab.QUICK, "", firstPart(death, Map.of()), rest("\"v1\""))) {
      brokenOff(lab.get("/b/k"));
      assertThat(lab.requests("GET /b/k ")).hasSize(1);
    }
  }

  @Test
  void anObjectThatChangedMeanwhileIsNotMixed() throws Exception {
    Script changed =
        peer -> {
          peer.readRequest();
          peer.send(Lab.response("412 Precondition Failed", Map.of(), new byte[0]));
          peer.awaitEnd();
        };
    try (Lab lab = Lab.configured(Lab.QUICK, "", firstPart(Death.CLOSE, VERSION), changed)) {
      brokenOff(lab.get("/b/k"));
      assertThat(lab.requests("GET /b/k ")).hasSize(2);
      lab.probe().awaitMetric(1, "penstock_upstream_truncated_total");
    }
  }

  @Test
  void anOriginThatIgnoresTheConditionIsNotTrusted() throws Exception {
    try (Lab lab = Lab.configured(Lab.QUICK, "", firstPart(Death.CLOSE, VERSION), rest("\"v2\""))) {
      brokenOff(lab.get("/b/k"));
    }
  }

  @Test
  void anOriginThatIgnoresTheRangeIsNotTrusted() throws Exception {
    Script whole =
        peer -> {
          peer.readRequest();
          peer.send(Lab.response("200 OK", VERSION, OBJECT));
          peer.awaitEnd();
        };
    try (Lab lab = Lab.configured(Lab.QUICK, "", firstPart(Death.CLOSE, VERSION), whole)) {
      brokenOff(lab.get("/b/k"));
    }
  }

  @Test
  void anOriginThatNeverGetsFurtherIsGivenUp() throws Exception {
    Script nothingMore =
        peer -> {
          String head = peer.readRequest();
          int from = Integer.parseInt(head.replaceAll("(?s).*[Rr]ange: bytes=([0-9]+)-.*", "$1"));
          peer.send(
              Lab.head(
                  "206 Partial Content",
                  Map.of("ETag", "\"v1\"", "Content-Range", "bytes " + from + "-299999/300000"),
                  OBJECT.length - from));
        };
    try (Lab lab = Lab.configured(Lab.QUICK, "", firstPart(Death.CLOSE, VERSION), nothingMore)) {
      brokenOff(lab.get("/b/k"));
      assertThat(lab.requests("GET /b/k ").size()).isBetween(2, 5);
    }
  }

  @Test
  void aListingThatIsCutWithinAChunkNeverEndsCleanly() throws Exception {
    Script cut =
        peer -> {
          peer.readRequest();
          peer.send(
              "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n10\r\n<ListBucketResul\r\n20\r\nt>");
        };
    try (Lab lab = Lab.configured(Lab.QUICK, "", cut)) {
      Answer answer = lab.get("/b?list-type=2");
      assertThat(answer.status()).isEqualTo(200);
      assertThat(answer.clean()).isFalse();
      assertThat(lab.requests("GET /b?list-type=2 ")).hasSize(1);
    }
  }

  @Test
  void bytesBeyondTheLengthAreNobodys() throws Exception {
    Script chatty =
        peer -> {
          peer.readRequest();
          peer.send(
              "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\ngoodHTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil");
          peer.awaitEnd();
        };
    Script honest =
        peer -> {
          peer.readRequest();
          peer.send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nnext");
          peer.awaitEnd();
        };
    try (Lab lab = Lab.configured(Lab.QUICK, "runtime: {event-loops: 1}\n", chatty, honest)) {
      assertThat(lab.get("/b/one").text()).isEqualTo("good");
      assertThat(lab.get("/b/two").text()).isEqualTo("next");
      assertThat(lab.store().connections()).isEqualTo(2);
    }
  }

  private static void brokenOff(Answer answer) {
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.clean()).isFalse();
    assertThat(answer.body().length).isLessThan(OBJECT.length);
    assertThat(answer.body()).isEqualTo(Arrays.copyOf(OBJECT, answer.body().length));
  }
}
