package io.penstock.config;

import static io.penstock.config.Samples.CERTIFICATE;
import static io.penstock.config.Samples.PRIVATE_KEY;
import static io.penstock.config.Samples.VALID;
import static io.penstock.config.Samples.loaded;
import static io.penstock.config.Samples.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.config.ConfigWatcher.Event;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigWatcherTest {
  @TempDir Path directory;

  private final ConfigLoader loader = new ConfigLoader(Map.of());
  private final List<Event> events = new ArrayList<>();
  private final List<List<String>> heard = new ArrayList<>();
  private long clock = 1_000_000;

  /** Writes a file with a modification time that no earlier write had. */
  private Path put(String name, String text) {
    Path file = write(directory.resolve(name), text);
    touch(file);
    return file;
  }

  private void touch(Path file) {
    try {
      Files.setLastModifiedTime(file, FileTime.fromMillis(clock += 1_000));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private ConfigWatcher watch(Path file) {
    ConfigHandle handle = new ConfigHandle(loaded(loader.load(file)));
    handle.subscribe(change -> heard.add(change.paths()));
    ConfigWatcher watcher = new ConfigWatcher(loader, file, handle, events::add);
    poll(watcher, 5);
    assertThat(events).isEmpty();
    return watcher;
  }

  private static void poll(ConfigWatcher watcher, int times) {
    for (int i = 0; i < times; i++) {
      watcher.poll();
    }
  }

  @Test
  void aChangeIsAppliedOnceItHasSettled() {
    ConfigWatcher watcher = watch(put("g.yaml", VALID));
    put("g.yaml", VALID.replace("demo-secret", "half"));
    poll(watcher, 1);
    put("g.yaml", VALID.replace("demo-secret", "whole"));
    poll(watcher, 1);
    assertThat(events).isEmpty();
    poll(watcher, 1);
    assertThat(heard).containsExactly(List.of("tenants[0].secret-key"));
    poll(watcher, 5);
    assertThat(events).hasSize(1);
    Event.Applied applied = (Event.Applied) events.getFirst();
    assertThat(applied.change().after().tenants().getFirst().secretKey())
        .isEqualTo(new Secret("whole"));
  }

  @Test
  void mistakesAreReportedOnceAndTheOldConfigurationStays() {
    ConfigWatcher watcher = watch(put("g.yaml", VALID));
    put("g.yaml", VALID.replaceFirst("port: 0", "port: x"));
    poll(watcher, 5);
    touch(directory.resolve("g.yaml"));
    poll(watcher, 5);
    assertThat(heard).isEmpty();
    assertThat(events).hasSize(1);
    assertThat(((Event.Rejected) events.getFirst()).problems())
        .extracting(Problem::path)
        .containsExactly("listen.s3.port");
    put("g.yaml", VALID);
    poll(watcher, 5);
    assertThat(events).hasSize(2).last().isEqualTo(new Event.Restored());
  }

  @Test
  void whatNeedsARestartIsReportedAndNotApplied() {
    ConfigWatcher watcher = watch(put("g.yaml", VALID));
    put("g.yaml", VALID.replaceFirst("port: 0", "port: 9999").replace("demo-secret", "new"));
    poll(watcher, 5);
    assertThat(heard).isEmpty();
    assertThat(events).containsExactly(new Event.RestartRequired(List.of("listen.s3.port")));
  }

  @Test
  void aDeletedFileIsAMistakeUntilItIsBack() throws IOException {
    Path file = put("g.yaml", VALID);
    ConfigWatcher watcher = watch(file);
    Files.delete(file);
    poll(watcher, 5);
    assertThat(events)
        .containsExactly(
            new Event.Rejected(List.of(new Problem("", 1, 1, "there is no such file"))));
    put("g.yaml", VALID);
    poll(watcher, 5);
    assertThat(events).last().isEqualTo(new Event.Restored());
  }

  @Test
  void secretFilesAreWatched() {
    put("secret", "one\n");
    ConfigWatcher watcher =
        watch(put("g.yaml", VALID.replace("secret-key: store-secret", "secret-key-file: secret")));
    put("secret", "two\n");
    poll(watcher, 5);
    assertThat(heard).containsExactly(List.of("upstream.secret-key"));
  }

  @Test
  void aMissingSecretFileIsWaitedFor() throws IOException {
    String yaml = VALID.replace("secret-key: store-secret", "secret-key-file: secret");
    put("secret", "one");
    ConfigWatcher watcher = watch(put("g.yaml", yaml));
    Files.delete(directory.resolve("secret"));
    poll(watcher, 5);
    assertThat(events).singleElement().isInstanceOf(Event.Rejected.class);
    put("secret", "two");
    poll(watcher, 5);
    assertThat(events).hasSize(2).last().isInstanceOf(Event.Applied.class);
  }

  @Test
  void aNewCertificateUnderTheSameNameIsAChange() {
    put("tls.crt", CERTIFICATE);
    put("tls.key", PRIVATE_KEY);
    String tls = "port: 0, tls: {certificate: tls.crt, key: tls.key}}\n  admin";
    ConfigWatcher watcher = watch(put("g.yaml", VALID.replace("port: 0}\n  admin", tls)));
    put("tls.crt", CERTIFICATE);
    put("tls.key", PRIVATE_KEY);
    poll(watcher, 5);
    assertThat(heard).containsExactly(List.of("listen.s3.tls.certificate", "listen.s3.tls.key"));
  }

  @Test
  void aNewCertificateIsNotForgottenWhileTheFileHasAMistake() {
    put("tls.crt", CERTIFICATE);
    put("tls.key", PRIVATE_KEY);
    String tls = "port: 0, tls: {certificate: tls.crt, key: tls.key}}\n  admin";
    String yaml = VALID.replace("port: 0}\n  admin", tls);
    ConfigWatcher watcher = watch(put("g.yaml", yaml));
    put("g.yaml", yaml + "typo: 1\n");
    put("tls.crt", CERTIFICATE);
    poll(watcher, 5);
    assertThat(events).singleElement().isInstanceOf(Event.Rejected.class);
    put("g.yaml", yaml);
    poll(watcher, 5);
    assertThat(heard).containsExactly(List.of("listen.s3.tls.certificate"));
  }

  /** A mounted ConfigMap: the file is a link through ..data, and ..data is swapped by a rename. */
  @Test
  void kubernetesSwapsALinkAboveTheFile() throws IOException {
    Files.createDirectory(directory.resolve("..v1"));
    Files.createDirectory(directory.resolve("..v2"));
    Path first = put("..v1/g.yaml", VALID.replace("demo-secret", "secret-1"));
    Path second = put("..v2/g.yaml", VALID.replace("demo-secret", "secret-2"));
    // the same length and time: only the real path tells them apart
    Files.setLastModifiedTime(second, Files.getLastModifiedTime(first));
    Path data = Files.createSymbolicLink(directory.resolve("..data"), Path.of("..v1"));
    Path file = Files.createSymbolicLink(directory.resolve("g.yaml"), Path.of("..data", "g.yaml"));
    ConfigWatcher watcher = watch(file);

    Path next = Files.createSymbolicLink(directory.resolve("..data_tmp"), Path.of("..v2"));
    Files.move(next, data, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    Files.delete(first);
    poll(watcher, 5);
    assertThat(heard).containsExactly(List.of("tenants[0].secret-key"));
  }

  @Test
  void aSubscriberThatFailsDoesNotStopTheOthers() {
    Path file = put("g.yaml", VALID);
    ConfigHandle handle = new ConfigHandle(loaded(loader.load(file)));
    handle.subscribe(
        _ -> {
          throw new IllegalStateException("a test's failing subscriber");
        });
    handle.subscribe(change -> heard.add(change.paths()));
    ConfigHandle.Subscription gone = handle.subscribe(_ -> heard.add(List.of("gone")));
    gone.close();
    ConfigWatcher watcher = new ConfigWatcher(loader, file, handle, events::add);
    put("g.yaml", VALID.replace("demo-secret", "new"));
    poll(watcher, 2);
    assertThat(heard).containsExactly(List.of("tenants[0].secret-key"));
    assertThat(handle.current().tenants().getFirst().secretKey()).isEqualTo(new Secret("new"));
  }

  @Test
  void runsOnTheSchedulerAndOutlivesAFailingListener() {
    Path file = put("g.yaml", VALID);
    ManualScheduler scheduler = new ManualScheduler();
    ConfigHandle handle = new ConfigHandle(loaded(loader.load(file)));
    ConfigWatcher watcher =
        new ConfigWatcher(
            loader,
            file,
            handle,
            event -> {
              events.add(event);
              throw new IllegalStateException("a test's failing listener");
            });
    watcher.start(scheduler, Duration.ofSeconds(2));
    assertThat(scheduler.period).isEqualTo(Duration.ofSeconds(2));
    assertThatThrownBy(() -> watcher.start(scheduler, Duration.ofSeconds(2)))
        .isInstanceOf(IllegalStateException.class);
    put("g.yaml", VALID.replace("demo-secret", "one"));
    scheduler.run(4);
    put("g.yaml", VALID.replace("demo-secret", "two"));
    scheduler.run(4);
    assertThat(events).hasSize(2);
    watcher.close();
    assertThat(scheduler.task.isCancelled()).isTrue();
    scheduler.shutdownNow();
  }

  /** Keeps the task, and runs it when the test says so. */
  private static final class ManualScheduler extends ScheduledThreadPoolExecutor {
    Runnable command = () -> {};
    Duration period = Duration.ZERO;
    ScheduledFuture<?> task;

    ManualScheduler() {
      super(1);
    }

    @Override
    public ScheduledFuture<?> scheduleWithFixedDelay(
        Runnable command, long initialDelay, long delay, TimeUnit unit) {
      this.command = command;
      this.period = Duration.of(delay, unit.toChronoUnit());
      this.task = super.scheduleWithFixedDelay(() -> {}, 1, 1, TimeUnit.DAYS);
      return task;
    }

    void run(int times) {
      for (int i = 0; i < times; i++) {
        command.run();
      }
    }
  }
}
