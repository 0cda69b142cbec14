package io.penstock.gateway.testing;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A gateway in a JVM of its own, for tests of what a process may take and how it ends. */
public final class GatewayProcess implements AutoCloseable {
  private static final Pattern READY = Pattern.compile("ready s3=(\\S+) admin=(\\S+)");

  private final Process process;
  private final Path log;
  private final URI s3;
  private final URI admin;

  private GatewayProcess(Process process, Path log, URI s3, URI admin) {
    this.process = process;
    this.log = log;
    this.s3 = s3;
    this.admin = admin;
  }

  /** Starts one in front of {@code store} and waits until it is ready. */
  public static GatewayProcess start(Path directory, URI store, String... jvmFlags)
      throws IOException {
    return startWith("", directory, store, jvmFlags);
  }

  /**
   * The same with further sections of the configuration.
   *
   * @param more YAML at the top level
   */
  public static GatewayProcess startWith(String more, Path directory, URI store, String... jvmFlags)
      throws IOException {
    Path config = directory.resolve("gateway.yaml");
    Files.writeString(
        config,
        """
        listen: {s3: {port: 0}, admin: {port: 0}}
        upstream: {endpoints: ['%s'], region: us-east-1, access-key: ak, secret-key: sk, pool: {max-connections: 2048}}
        tenants: [{name: demo, access-key: %s, secret-key: %s}]
        """
                .formatted(store, Stack.ACCESS_KEY, Stack.SECRET_KEY)
            + more);
    Path log = directory.resolve("gateway.log");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("@" + flagsFile());
    command.addAll(List.of(jvmFlags));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(
        List.of(
            "io.penstock.gateway.app.cli.PenstockCommand",
            "gateway",
            "--config",
            config.toString()));
    Process process = new ProcessBuilder(command).redirectError(log.toFile()).start();
    return ready(process, log);
  }

  private static Path flagsFile() {
    Path directory = Path.of("").toAbsolutePath();
    while (directory != null && !Files.exists(directory.resolve("jvm.flags"))) {
      directory = directory.getParent();
    }
    if (directory == null) {
      throw new IllegalStateException("jvm.flags is not above the working directory");
    }
    return directory.resolve("jvm.flags");
  }

  private static GatewayProcess ready(Process process, Path log) throws IOException {
    BufferedReader out =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    String line = out.readLine();
    Matcher matcher = READY.matcher(line == null ? "" : line);
    if (!matcher.matches()) {
      process.destroyForcibly();
      throw new IllegalStateException("not ready: " + line + "\n" + Files.readString(log));
    }
    return new GatewayProcess(
        process, log, URI.create(matcher.group(1)), URI.create(matcher.group(2)));
  }

  public URI s3() {
    return s3;
  }

  public URI admin() {
    return admin;
  }

  public boolean alive() {
    return process.isAlive();
  }

  public String log() throws IOException {
    return Files.readString(log);
  }

  /**
   * One value of the gateway's metrics: the sum over all series of {@code name} whose labels
   * contain {@code labels}.
   */
  public double metric(String name, String labels) throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      String text =
          client
              .send(
                  HttpRequest.newBuilder(admin.resolve("/metrics")).build(),
                  HttpResponse.BodyHandlers.ofString())
              .body();
      double sum = Double.NaN;
      for (String line : text.split("\n")) {
        boolean series = line.startsWith(name + "{") || line.startsWith(name + " ");
        if (series && line.contains(labels)) {
          double value = Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1));
          sum = Double.isNaN(sum) ? value : sum + value;
        }
      }
      return sum;
    }
  }

  /** SIGTERM, as an orchestrator sends it. */
  public int terminate() throws InterruptedException {
    process.destroy();
    if (!process.waitFor(60, TimeUnit.SECONDS)) {
      throw new IllegalStateException("the gateway did not end within a minute of SIGTERM");
    }
    return process.exitValue();
  }

  /** SIGKILL: returns when nothing of the process is left. */
  public void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
