package io.penstock.dpu.transport;

import static io.penstock.dpu.transport.TransportKind.EPOLL;
import static io.penstock.dpu.transport.TransportKind.IO_URING;
import static io.penstock.dpu.transport.TransportKind.NIO;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.config.RuntimeConfig.Transport;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TransportSelectorTest {
  private final Map<TransportKind, String> broken = new EnumMap<>(TransportKind.class);
  private final List<TransportKind> tried = new ArrayList<>();
  private final TransportSelector selector =
      new TransportSelector(
          kind -> {
            tried.add(kind);
            return Optional.ofNullable(broken.get(kind));
          });

  @Test
  void withoutAWishTheBestThatWorks() {
    TransportChoice choice = selector.select(Transport.AUTO);
    assertThat(choice)
        .isEqualTo(new TransportChoice(IO_URING, "the best there is, and it works", Map.of()));
    assertThat(tried).containsExactly(IO_URING);
  }

  @Test
  void theChoiceTellsWhyBetterOnesWereRefused() {
    broken.put(IO_URING, "Operation not permitted");
    assertThat(selector.select(Transport.AUTO))
        .isEqualTo(
            new TransportChoice(
                EPOLL,
                "the best that works, without io_uring",
                Map.of(IO_URING, "Operation not permitted")));
    broken.put(EPOLL, "no library");
    TransportChoice last = selector.select(Transport.AUTO);
    assertThat(last.kind()).isEqualTo(NIO);
    assertThat(last.reason()).isEqualTo("the best that works, without io_uring, epoll");
    assertThat(last.refused()).containsOnlyKeys(IO_URING, EPOLL);
  }

  @Test
  void nioIsTakenWithoutProof() {
    broken.putAll(Map.of(IO_URING, "a", EPOLL, "b", NIO, "c"));
    assertThat(selector.select(Transport.AUTO).kind()).isEqualTo(NIO);
    assertThat(tried).containsExactly(IO_URING, EPOLL);
  }

  @Test
  void aForcedTransportIsTheOnlyOneTried() {
    broken.put(IO_URING, "not tried");
    assertThat(selector.select(Transport.EPOLL).kind()).isEqualTo(EPOLL);
    assertThat(selector.select(Transport.NIO).kind()).isEqualTo(NIO);
    assertThat(tried).containsExactly(EPOLL, NIO);
  }

  @Test
  void aForcedTransportThatDoesNotWorkStopsTheStartAndSaysWhatToDo() {
    broken.putAll(Map.of(IO_URING, "Operation not permitted", EPOLL, "no library", NIO, "no net"));
    assertThatThrownBy(() -> selector.select(Transport.IO_URING))
        .isInstanceOfSatisfying(
            TransportUnavailableException.class, e -> assertThat(e.kind()).isEqualTo(IO_URING))
        .hasMessageContaining("runtime.transport is io_uring")
        .hasMessageContaining("Operation not permitted")
        .hasMessageContaining("io_uring_setup")
        .hasMessageContaining("auto");
    assertThatThrownBy(() -> selector.select(Transport.EPOLL))
        .isInstanceOf(TransportUnavailableException.class)
        .hasMessageContaining("no library");
    assertThatThrownBy(() -> selector.select(Transport.NIO))
        .isInstanceOf(TransportUnavailableException.class);
  }
}
