package io.penstock.gateway.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.gateway.upstream.EndpointPicker.Member;
import io.penstock.gateway.upstream.wire.Endpoint;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class EndpointPickerTest {
  private final VirtualTimeline time = new VirtualTimeline();
  private final int[] load = new int[3];
  private final List<String> events = new ArrayList<>();
  private final List<Member> members = new ArrayList<>();
  private final EndpointPicker picker;

  EndpointPickerTest() {
    for (int i = 0; i < 3; i++) {
      int number = i;
      members.add(new Member(endpoint(i), new ScriptedChannel(), () -> load[number]));
    }
    picker =
        new EndpointPicker(
            members,
            time,
            new UpstreamObserver() {
              @Override
              public void ejected(String endpoint) {
                events.add("ejected " + endpoint);
              }

              @Override
              public void restored(String endpoint) {
                events.add("restored " + endpoint);
              }
            });
  }

  private static Endpoint endpoint(int number) {
    return Endpoint.of(URI.create("http://store" + number));
  }

  private Member pick() {
    return picker.pick(Optional.empty());
  }

  private Set<Member> several(int picks) {
    Set<Member> seen = new HashSet<>();
    for (int i = 0; i < picks; i++) {
      Member member = pick();
      picker.gaveUp(member);
      seen.add(member);
    }
    return seen;
  }

  @Test
  void takesTheLeastLoaded() {
    load[0] = 2;
    load[1] = 1;
    load[2] = 3;
    assertThat(several(10)).containsExactly(members.get(1));
  }

  @Test
  void letsEqualsTakeTurns() {
    assertThat(several(3)).containsExactlyInAnyOrderElementsOf(members);
  }

  @Test
  void takesThePreferredWhileItIsHealthy() {
    load[2] = 100;
    assertThat(picker.pick(Optional.of(endpoint(2)))).isSameAs(members.get(2));
    picker.failed(members.get(2), true);
    assertThat(picker.pick(Optional.of(endpoint(2)))).isNotSameAs(members.get(2));
  }

  @Test
  void leavesOutWhatRefusesAndProbesItOnce() {
    picker.failed(members.get(0), true);
    assertThat(events).containsExactly("ejected http://store0");
    assertThat(several(10)).doesNotContain(members.get(0));
    time.advance(Duration.ofSeconds(1));
    assertThat(pick()).as("the probe").isSameAs(members.get(0));
    for (int i = 0; i < 10; i++) {
      assertThat(pick()).as("while the probe is out").isNotSameAs(members.get(0));
    }
    picker.succeeded(members.get(0));
    assertThat(events).containsExactly("ejected http://store0", "restored http://store0");
    assertThat(several(3)).contains(members.get(0));
  }

  @Test
  void leavesARelapserOutForTwiceAsLong() {
    picker.failed(members.get(0), true);
    for (int seconds = 1; seconds <= 32; seconds *= 2) {
      time.advance(Duration.ofSeconds(seconds).minusNanos(1));
      assertThat(several(5)).doesNotContain(members.get(0));
      time.advance(Duration.ofNanos(1));
      assertThat(pick()).isSameAs(members.get(0));
      picker.failed(members.get(0), false);
    }
    time.advance(Duration.ofSeconds(64));
    assertThat(pick()).as("never longer than about a minute").isSameAs(members.get(0));
  }

  @Test
  void forgivesFailuresWithSuccessesBetween() {
    for (int i = 0; i < 20; i++) {
      picker.failed(members.get(0), false);
      if (i % 4 == 3) {
        picker.succeeded(members.get(0));
      }
    }
    assertThat(events).isEmpty();
    for (int i = 0; i < 5; i++) {
      picker.failed(members.get(0), false);
    }
    assertThat(events).containsExactly("ejected http://store0");
  }

  @Test
  void neverLeavesEverybodyOut() {
    members.forEach(member -> picker.failed(member, true));
    assertThat(events).hasSize(3);
    assertThat(pick()).isIn(members);
    assertThat(pick()).as("also while that one is being probed").isIn(members);
  }

  @Test
  void aLoneEndpointIsNeverLeftOut() {
    EndpointPicker lone = new EndpointPicker(members.subList(0, 1), time, UpstreamObserver.NONE);
    for (int i = 0; i < 20; i++) {
      lone.failed(lone.pick(Optional.empty()), true);
    }
    assertThat(lone).hasToString("[Scripted]");
  }
}
