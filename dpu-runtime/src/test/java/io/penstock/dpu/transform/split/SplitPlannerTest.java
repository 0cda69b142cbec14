package io.penstock.dpu.transform.split;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class SplitPlannerTest {
  private static final long JPEG = 130 << 10;

  @Test
  void slowLinksGetFeaturesAndFastOnesWithAFastConsumerGetObjects() {
    SplitDecision.Chosen slow = choose("resnet50", 50e6 / 8, 4);
    assertThat(slow.split()).isEqualTo(new Split.After("avgpool"));
    assertThat(slow.estimate().candidate().bytes()).isEqualTo(8192);
    SplitDecision.Chosen fast = choose("resnet50", 10e9 / 8, 400);
    assertThat(fast.split()).isEqualTo(new Split.Raw());
  }

  @Test
  void vgg19DoesNotSendMoreThanThePictureOnASlowLink() {
    SplitDecision.Chosen chosen = choose("vgg19", 50e6 / 8, 100);
    assertThat(chosen.estimate().candidate().bytes()).isLessThanOrEqualTo(JPEG);
  }

  @Test
  void whatSendsMoreForHardlyAnyGainIsNotTaken() {
    Candidate lean = candidate("lean", 100, 1.0);
    Candidate fat = candidate("fat", 200, 0.985);
    SplitDecision decision = SplitPlanner.plan(List.of(fat, lean), around(100));
    assertThat(decision)
        .isInstanceOfSatisfying(
            SplitDecision.Chosen.class,
            chosen -> {
              assertThat(chosen.split().label()).isEqualTo("lean");
              assertThat(chosen.why()).isEqualTo(SplitDecision.Why.NOT_WORTH_MORE_BYTES);
              assertThat(chosen.reason())
                  .contains("lean")
                  .contains("gains too little")
                  .contains("fat");
            });
  }

  @Test
  void layersThatGainHardlyAnythingAreNotApplied() {
    Candidate raw =
        new Candidate(new Split.Raw(), 100, new Candidate.Near(0, 0, 0), new Candidate.Far(1.0, 0));
    assertThat(SplitPlanner.plan(List.of(candidate("cut", 50, 0.97), raw), around(100)))
        .isInstanceOfSatisfying(
            SplitDecision.Chosen.class,
            chosen -> {
              assertThat(chosen.split()).isEqualTo(new Split.Raw());
              assertThat(chosen.why()).isEqualTo(SplitDecision.Why.NOT_WORTH_COMPUTING);
            });
  }

  @Test
  void equalEpochsGoToTheFewerBytes() {
    SplitDecision decision =
        SplitPlanner.plan(
            List.of(candidate("much", 90, 1.0), candidate("little", 10, 1.005)), around(100));
    assertThat(decision)
        .isInstanceOfSatisfying(
            SplitDecision.Chosen.class,
            chosen -> {
              assertThat(chosen.split().label()).isEqualTo("little");
              assertThat(chosen.why()).isEqualTo(SplitDecision.Why.FEWER_BYTES);
            });
  }

  @Test
  void saysWhenNothingFits() {
    Candidate large =
        new Candidate(
            new Split.Pixels(),
            1,
            new Candidate.Near(0, Long.MAX_VALUE, Long.MAX_VALUE),
            new Candidate.Far(1, 0));
    assertThat(SplitPlanner.plan(List.of(large), around(100)).reason())
        .isEqualTo("none of 1 splits fits into 1073741824 bytes");
  }

  private static SplitDecision.Chosen choose(String model, double client, double speed) {
    NetworkProfile profile = ShapeTable.read().get(model);
    var source = new NetworkProfile.Source(JPEG, 3 * 224 * 224 * 4, 1 / 2000.0);
    var consumer = new NetworkProfile.Consumer(speed, 1 / 8000.0, 1e-10);
    Surroundings around =
        new Surroundings(
            new Surroundings.Links(1.25e9, client),
            8,
            1L << 31,
            new Surroundings.Work(1280, 128, JPEG, 8));
    return (SplitDecision.Chosen) SplitPlanner.plan(profile.candidates(source, consumer), around);
  }

  private static Candidate candidate(String name, long bytes, double trainSeconds) {
    return new Candidate(
        new Split.After(name),
        bytes,
        new Candidate.Near(0, 0, 0),
        new Candidate.Far(trainSeconds, 0));
  }

  private static Surroundings around(long objectBytes) {
    return new Surroundings(
        new Surroundings.Links(1e12, 1e12),
        1,
        1L << 30,
        new Surroundings.Work(1000, 10, objectBytes, 1));
  }
}
