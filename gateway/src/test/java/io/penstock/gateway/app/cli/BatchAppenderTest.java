package io.penstock.gateway.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BatchAppenderTest {
  private final Logger logger = new LoggerContext().getLogger("access");

  private LoggingEvent event(String line) {
    return new LoggingEvent("", logger, Level.INFO, line, null, null);
  }

  @Test
  void everyLineIsWrittenInOrderByTheTimeItStops() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    BatchAppender appender = new BatchAppender(new PrintStream(out));
    appender.start();
    IntStream.range(0, 1000).forEach(i -> appender.doAppend(event("line " + i + " é {}")));
    appender.stop();
    assertThat(out.toString(StandardCharsets.UTF_8))
        .isEqualTo(
            IntStream.range(0, 1000)
                .mapToObj(i -> "line " + i + " é {}\n")
                .collect(Collectors.joining()));
  }

  @Test
  void aStuckStreamCostsLinesAndNeverTime() throws Exception {
    ByteArrayOutputStream written = new ByteArrayOutputStream();
    Semaphore open = new Semaphore(0);
    CountDownLatch stuck = new CountDownLatch(1);
    OutputStream gate =
        new OutputStream() {
          @Override
          public void write(int b) {
            throw new AssertionError("single bytes are not written");
          }

          @Override
          public void write(byte[] bytes, int from, int length) {
            stuck.countDown();
            open.acquireUninterruptibly();
            open.release();
            written.write(bytes, from, length);
          }
        };
    BatchAppender appender = new BatchAppender(new PrintStream(gate));
    appender.start();
    appender.doAppend(event("first"));
    stuck.await();
    IntStream.range(0, 40_000).forEach(i -> appender.doAppend(event("x")));
    open.release();
    appender.stop();
    assertThat(written.toString(StandardCharsets.UTF_8).lines())
        .startsWith("first", "x")
        .contains("{\"dropped-access-lines\":23616}")
        .hasSize(1 + 16_384 + 1);
  }
}
