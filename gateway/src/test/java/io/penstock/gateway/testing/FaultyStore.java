package io.penstock.gateway.testing;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/**
 * A TCP server on loopback whose every connection follows a script: the first connection the first
 * script and so on, further ones the last. A script speaks raw bytes, so it can break off anywhere,
 * stall behind a {@link Gate}, reset, or close one direction only. When a script returns its
 * connection is closed. Exceptions of scripts are kept and make {@link #close} fail, except those
 * that the other side's leaving causes.
 *
 * <p>Threading: each connection has its own thread; query methods are safe.
 */
public final class FaultyStore implements AutoCloseable {

  /** What happens on one connection. */
  public interface Script {
    void run(FaultyPeer peer) throws Exception;
  }

  private final ServerSocket server;
  private final List<Script> scripts;
  private final Optional<SSLContext> tls;
  private final AtomicInteger accepted = new AtomicInteger();
  private final List<String> requests = new CopyOnWriteArrayList<>();
  private final List<Socket> sockets = new CopyOnWriteArrayList<>();
  private final List<Throwable> problems = new CopyOnWriteArrayList<>();
  private final List<Thread> threads = new CopyOnWriteArrayList<>();

  private FaultyStore(ServerSocket server, List<Script> scripts, Optional<SSLContext> tls) {
    this.server = server;
    this.scripts = scripts;
    this.tls = tls;
  }

  public static FaultyStore start(Script... scripts) throws IOException {
    return start(Optional.empty(), scripts);
  }

  /** The same behind TLS. */
  public static FaultyStore startTls(SSLContext tls, Script... scripts) throws IOException {
    return start(Optional.of(tls), scripts);
  }

  private static FaultyStore start(Optional<SSLContext> tls, Script... scripts) throws IOException {
    ServerSocket server = new ServerSocket(0, 64, InetAddress.getLoopbackAddress());
    FaultyStore store = new FaultyStore(server, List.of(scripts), tls);
    store.threads.add(Thread.ofVirtual().start(store::accept));
    return store;
  }

  /** A script that answers every request with the same bytes for as long as the client stays. */
  public static Script always(String response) {
    return peer -> {
      while (peer.readRequest() != null) {
        peer.send(response);
      }
    };
  }

  /** A complete response with this body. */
  public static String ok(String body) {
    return "HTTP/1.1 200 OK\r\nContent-Length: " + body.length() + "\r\n\r\n" + body;
  }

  public int port() {
    return server.getLocalPort();
  }

  public URI uri() {
    return URI.create((tls.isPresent() ? "https" : "http") + "://127.0.0.1:" + port());
  }

  /** How many connections were accepted. */
  public int connections() {
    return accepted.get();
  }

  /** Heads of all requests in the order they were read. */
  public List<String> requests() {
    return List.copyOf(requests);
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        Socket socket = server.accept();
        sockets.add(socket);
        Script script = scripts.get(Math.min(accepted.getAndIncrement(), scripts.size() - 1));
        threads.add(Thread.ofVirtual().start(() -> serve(script, socket)));
      } catch (IOException e) {
        if (!server.isClosed()) {
          problems.add(e);
        }
      }
    }
  }

  private void serve(Script script, Socket socket) {
    try (socket) {
      socket.setTcpNoDelay(true);
      Socket speaking = speaking(socket);
      script.run(new FaultyPeer(speaking, socket, requests));
      speaking.close();
    } catch (IOException e) {
      // the other side left
    } catch (Throwable e) {
      if (!server.isClosed()) {
        problems.add(e);
      }
    }
  }

  private Socket speaking(Socket socket) throws IOException {
    if (tls.isEmpty()) {
      return socket;
    }
    SSLSocketFactory factory = tls.get().getSocketFactory();
    SSLSocket secure =
        (SSLSocket) factory.createSocket(socket, InputStream.nullInputStream(), false);
    secure.setUseClientMode(false);
    return secure;
  }

  /** Stops; fails if a script failed by itself. */
  @Override
  public void close() throws Exception {
    server.close();
    for (Socket socket : sockets) {
      socket.close();
    }
    for (Thread thread : threads) {
      thread.interrupt();
      thread.join(Gate.PATIENCE);
    }
    if (!problems.isEmpty()) {
      AssertionError error = new AssertionError("a script of the faulty store failed");
      problems.forEach(error::addSuppressed);
      throw error;
    }
  }
}
