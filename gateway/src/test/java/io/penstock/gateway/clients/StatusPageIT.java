package io.penstock.gateway.clients;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.gateway.testing.FloodStore;
import io.penstock.gateway.testing.Gate;
import io.penstock.gateway.testing.Stack;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.services.s3.S3Client;

/**
 * A real browser shows the status page of a gateway under load, on a phone's and a desktop's
 * screen. The pictures stay in target/judges/status.
 */
class StatusPageIT {
  private static final Pattern BUSY =
      Pattern.compile(
          "(?s)id=\"out\">[1-9][0-9.]* (B|KiB|MiB|GiB)/s<.*id=\"requests\">(0\\.[0-9]*[1-9]|[1-9])");

  private final Path pictures = Tools.workFolder("status");
  @TempDir private Path profile;

  @Test
  void aBrowserShowsWhatTheGatewayDoes() throws Exception {
    Path chromium = Tools.program("chromium", "chromium");
    try (FloodStore store = new FloodStore();
        Stack stack = Stack.start(store.endpoint(), "ak", "sk", "");
        Load load = new Load(stack)) {
      load.begun.await();
      String page = stack.gateway().admin() + "/status";
      String shown = browse(chromium, page, "--dump-dom");
      // on a busy machine the second that is shown may have been an idle one
      for (int i = 0; i < 5 && !BUSY.matcher(shown).find(); i++) {
        shown = browse(chromium, page, "--dump-dom");
      }
      assertThat(shown)
          .contains("class=\"badge good\">serving<")
          .contains("<dd class=\"\">current</dd>")
          .containsPattern(BUSY)
          .contains("<path d=\"M")
          .doesNotContain("NaN", "undefined", Stack.SECRET_KEY, "\"sk\"");
      // what the page's own policy, or a mistake in its script, would say
      assertThat(Files.readString(pictures.resolve("browser.log")))
          .doesNotContain("Content Security Policy", "Uncaught");
      picture(chromium, page, "phone.png", "--window-size=500,2400");
      picture(chromium, page, "desktop.png", "--window-size=1280,900");
      picture(
          chromium,
          page,
          "desktop-dark.png",
          "--window-size=1280,900",
          "--blink-settings=preferredColorScheme=0");
      assertThat(load.failures).isEmpty();
    }
  }

  @Test
  void thePageIsConfinedAndTellsNoSecrets() throws Exception {
    try (FloodStore store = new FloodStore();
        Stack stack = Stack.start(store.endpoint(), "access-of-store", "secret-of-store", "")) {
      URI admin = stack.gateway().admin();
      HttpResponse<String> page = get(admin.resolve("/status"));
      assertThat(page.headers().firstValue("content-security-policy").orElseThrow())
          .contains("default-src 'none'")
          .doesNotContain("unsafe");
      assertThat(page.body()).doesNotContain("http://", "https://", "onclick", "<style");
      for (String path : List.of("/status.json", "/runtime")) {
        assertThat(get(admin.resolve(path)).body())
            .doesNotContain("access-of-store", "secret-of-store", Stack.SECRET_KEY);
      }
      assertThat(get(admin.resolve("/")).uri().getPath()).isEqualTo("/status");
    }
  }

  private void picture(Path chromium, String page, String name, String... options)
      throws Exception {
    List<String> all = new ArrayList<>(List.of(options));
    Path file = pictures.resolve(name);
    Files.deleteIfExists(file);
    all.add("--screenshot=" + file);
    browse(chromium, page, all.toArray(String[]::new));
    assertThat(Files.size(file)).isGreaterThan(10_000);
  }

  private String browse(Path chromium, String page, String... options) throws Exception {
    List<String> command = new ArrayList<>(List.of(chromium.toString(), "--headless"));
    command.addAll(
        List.of("--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars"));
    command.addAll(List.of("--user-data-dir=" + profile, "--enable-logging=stderr"));
    command.add("--virtual-time-budget=5000");
    command.addAll(List.of(options));
    command.add(page);
    Process process =
        new ProcessBuilder(command).redirectError(pictures.resolve("browser.log").toFile()).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).isZero();
    return said;
  }

  private static HttpResponse<String> get(URI uri) throws Exception {
    try (HttpClient http =
        HttpClient.newBuilder().followRedirects(HttpClient.Redirect.NORMAL).build()) {
      return http.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
    }
  }

  /** Reads of many sizes, for as long as it is open. */
  private static final class Load implements AutoCloseable {
    private final List<String> failures = new java.util.concurrent.CopyOnWriteArrayList<>();
    private final Gate begun = new Gate();
    private final AtomicBoolean over = new AtomicBoolean();
    private final Thread thread;

    Load(Stack stack) {
      thread = Thread.ofPlatform().start(() -> run(stack));
    }

    private void run(Stack stack) {
      try (S3Client s3 = stack.client()) {
        for (int i = 0; !over.get(); i++) {
          String key = Integer.toString(20_000 + i % 40 * 10_000);
          s3.getObjectAsBytes(r -> r.bucket("b").key(key));
          begun.open();
          Thread.sleep(3);
        }
      } catch (RuntimeException | InterruptedException e) {
        failures.add(e.toString());
      }
    }

    @Override
    public void close() throws InterruptedException {
      over.set(true);
      thread.join();
    }
  }
}
