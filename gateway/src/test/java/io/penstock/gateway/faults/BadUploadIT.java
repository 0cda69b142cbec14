package io.penstock.gateway.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.gateway.faults.SignedCall.RawRequest;
import io.penstock.gateway.testing.FaultyPeer;
import io.penstock.gateway.testing.FaultyStore;
import io.penstock.gateway.testing.LeakWatch;
import io.penstock.gateway.testing.RawClient;
import io.penstock.gateway.testing.RawClient.Answer;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.NoSuchKeyException;

/**
 * An upload that is cut short or is not what was promised stores nothing: a store that only counts
 * never sees its request completed, a real one has no such key, or still the object from before.
 */
@ExtendWith(LeakWatch.class)
class BadUploadIT {
  private static final Pattern LENGTH = Pattern.compile("(?i)\r\ncontent-length: ([0-9]+)");
  private static final byte[] OLD = "the object from before".getBytes();

  /** Targets of the requests that arrived whole, whatever the store thinks of them. */
  private static final List<String> COMPLETED = new CopyOnWriteArrayList<>();

  private static final List<String> BEGUN = new CopyOnWriteArrayList<>();

  private static Lab counting;
  private static RealLab real;

  @BeforeAll
  static void start() throws Exception {
    counting = Lab.of(BadUploadIT::count);
    real = RealLab.start("");
  }

  @AfterAll
  static void stop() throws Exception {
    real.close();
    counting.close();
  }

  private static void count(FaultyPeer peer) throws Exception {
    for (String head = peer.readHead(); head != null; head = peer.readHead()) {
      String target = head.split(" ", 3)[1];
      BEGUN.add(target);
      Matcher length = LENGTH.matcher(head);
      int announced = length.find() ? Integer.parseInt(length.group(1)) : 0;
      if (peer.read(announced).length < announced) {
        return;
      }
      COMPLETED.add(target);
      peer.send(FaultyStore.ok(""));
    }
  }

  static List<BadUpload> uploads() {
    return BadUpload.all();
  }

  @ParameterizedTest
  @MethodSource("uploads")
  void neverCompletesItsRequestAtTheStore(BadUpload upload) throws Exception {
    String target =
        "/b/never-" + uploads().stream().map(BadUpload::name).toList().indexOf(upload.name());
    attempt(counting.stack().s3(), target, upload);
    counting.probe().awaitMetric(0, "penstock_requests_in_flight");
    assertThat(COMPLETED).doesNotContain(target);
    // the same gateway still takes a good one
    RawRequest good = counting.call("PUT", target).body(BadUpload.BODY).signedChunks().sign();
    assertThat(counting.send(good).status()).isEqualTo(200);
    assertThat(COMPLETED).containsOnlyOnce(target);
  }

  @ParameterizedTest
  @MethodSource("uploads")
  void leavesTheStoreAsItWas(BadUpload upload) throws Exception {
    real.store("old", OLD);
    for (String key : List.of("old", "new")) {
      attempt(real.stack().s3(), "/bkt/" + key, upload);
    }
    real.probe().awaitMetric(0, "penstock_requests_in_flight");
    assertThat(real.stored("old")).isEqualTo(OLD);
    assertThatThrownBy(() -> real.stored("new")).isInstanceOf(NoSuchKeyException.class);
  }

  @Test
  void aBadPartIsNoPart() throws Exception {
    S3Client direct = real.direct();
    String id = direct.createMultipartUpload(r -> r.bucket("bkt").key("parts")).uploadId();
    String target = "/bkt/parts?partNumber=1&uploadId=" + id;
    for (BadUpload upload : uploads()) {
      if (!upload.name().startsWith("frames")) {
        attempt(real.stack().s3(), target, upload);
      }
    }
    real.probe().awaitMetric(0, "penstock_requests_in_flight");
    assertThat(direct.listParts(r -> r.bucket("bkt").key("parts").uploadId(id)).parts()).isEmpty();
    Answer good = real.send(real.call("PUT", target).body(BadUpload.BODY).sign());
    assertThat(good.status()).isEqualTo(200);
    assertThat(direct.listParts(r -> r.bucket("bkt").key("parts").uploadId(id)).parts())
        .singleElement()
        .satisfies(part -> assertThat(part.size()).isEqualTo(BadUpload.BODY.length));
  }

  private static void attempt(URI gateway, String target, BadUpload upload) throws Exception {
    RawRequest request = upload.to(gateway, target);
    if (upload.isCut()) {
      try (RawClient client = new RawClient(gateway)) {
        client.send(request.bytes());
      }
    } else {
      try (RawClient client = new RawClient(gateway)) {
        Answer answer = client.send(request.bytes()).read();
        FailingOriginIT.isS3Error(answer, answer.status(), upload.code());
        assertThat(answer.status()).isBetween(400, 499);
      }
    }
  }
}
