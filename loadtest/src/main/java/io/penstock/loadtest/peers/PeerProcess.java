package io.penstock.loadtest.peers;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * One running proxy. Started by its script, stopped by process id, its directory removed.
 *
 * <p>Threading: one thread at a time.
 */
final class PeerProcess implements AutoCloseable {
  // a gateway may have to be built first, and the box may be busy
  private static final long START_SECONDS = 180;
  private static final long STOP_SECONDS = 10;

  private final Process process;
  private final Path directory;
  private final int port;

  private PeerProcess(Process process, Path directory, int port) {
    this.process = process;
    this.directory = directory;
    this.port = port;
  }

  /** A peer that cannot run here; the message says why and what to do. */
  static final class Unavailable extends Exception {
    Unavailable(String message) {
      super(message);
    }
  }

  /**
   * Runs {@code script} and waits until its port accepts.
   *
   * @throws Unavailable when the script ends instead, or is not ready in time
   */
  static PeerProcess start(Path script, Map<String, String> orders)
      throws IOException, InterruptedException, Unavailable {
    Path directory = Files.createTempDirectory("penstock-peer-");
    int port = freePort();
    Path log = directory.resolve("log");
    var builder = new ProcessBuilder(script.toString()).redirectErrorStream(true);
    builder.redirectOutput(log.toFile());
    builder.environment().putAll(orders);
    builder.environment().put("DIR", directory.toString());
    builder.environment().put("PORT", Integer.toString(port));
    var peer = new PeerProcess(builder.start(), directory, port);
    try {
      peer.awaitReady(script, log);
      return peer;
    } catch (Unavailable | InterruptedException | RuntimeException e) {
      peer.close();
      throw e;
    }
  }

  private void awaitReady(Path script, Path log) throws InterruptedException, Unavailable {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
    while (!accepts()) {
      if (!process.isAlive()) {
        throw new Unavailable(script.getFileName() + " ended: " + lastLines(log));
      }
      if (System.nanoTime() > deadline) {
        throw new Unavailable(
            script.getFileName() + " was not ready in " + START_SECONDS + " s: " + lastLines(log));
      }
      TimeUnit.MILLISECONDS.sleep(50);
    }
  }

  private static String lastLines(Path log) {
    try {
      List<String> lines = Files.readAllLines(log, StandardCharsets.UTF_8);
      return String.join(" | ", lines.subList(Math.max(0, lines.size() - 5), lines.size()));
    } catch (IOException e) {
      return "no output";
    }
  }

  private boolean accepts() {
    try (var socket = new Socket()) {
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 500);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private static int freePort() throws IOException {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  long pid() {
    return process.pid();
  }

  int port() {
    return port;
  }

  @Override
  public void close() {
    // children first: a master that loses its workers starts new ones, so it goes at the same time
    List<ProcessHandle> all =
        Stream.concat(process.descendants(), Stream.of(process.toHandle())).toList();
    all.forEach(ProcessHandle::destroy);
    try {
      if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
    all.forEach(ProcessHandle::destroyForcibly);
    remove(directory);
  }

  /** Deletes {@code directory} and all in it. */
  static void remove(Path directory) {
    try (var files = Files.walk(directory)) {
      for (Path file : files.sorted(java.util.Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      System.err.println("cannot remove " + directory + ": " + e.getMessage());
    }
  }
}
