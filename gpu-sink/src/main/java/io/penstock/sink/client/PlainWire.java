package io.penstock.sink.client;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.time.Duration;

/**
 * A socket that waits for its peer only so long. Off-heap buffers are filled by the kernel
 * directly.
 *
 * <p>Threading: as {@link Wire}.
 */
final class PlainWire implements Wire {
  private static final ByteBuffer NOWHERE = ByteBuffer.allocate(0);

  private final SocketChannel socket;
  private final Selector selector;
  private final SelectionKey key;
  private Duration patience;

  private PlainWire(SocketChannel socket, Selector selector, Duration patience) throws IOException {
    this.socket = socket;
    this.selector = selector;
    this.patience = patience;
    this.key = socket.register(selector, 0);
  }

  /** Connects to the first address of the host that answers. */
  static PlainWire connect(String host, int port, Duration patience) throws IOException {
    IOException failure = new UnknownHostException(host);
    for (InetAddress address : addresses(host)) {
      try {
        return connect(new InetSocketAddress(address, port), patience);
      } catch (IOException e) {
        failure =
            new IOException("cannot connect to %s:%d: %s".formatted(host, port, reason(e)), e);
      }
    }
    throw failure;
  }

  private static InetAddress[] addresses(String host) throws IOException {
    try {
      return InetAddress.getAllByName(host);
    } catch (UnknownHostException e) {
      throw new IOException("there is no host " + host, e);
    }
  }

  private static String reason(IOException failure) {
    return String.valueOf(failure.getMessage());
  }

  private static PlainWire connect(InetSocketAddress address, Duration patience)
      throws IOException {
    PlainWire wire = open(patience);
    boolean connected = false;
    try {
      wire.socket.connect(address);
      while (!wire.socket.finishConnect()) {
        wire.await(SelectionKey.OP_CONNECT, "no connection");
      }
      connected = true;
      return wire;
    } finally {
      if (!connected) {
        wire.close();
      }
    }
  }

  private static PlainWire open(Duration patience) throws IOException {
    SocketChannel socket = SocketChannel.open();
    Selector selector = socket.provider().openSelector();
    socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
    socket.configureBlocking(false);
    return new PlainWire(socket, selector, patience);
  }

  /** From now on waits so long. */
  void patience(Duration other) {
    patience = other;
  }

  @Override
  public long read(ByteBuffer first, ByteBuffer second) throws IOException {
    ByteBuffer[] targets = {first, second};
    while (true) {
      long read = second.hasRemaining() ? socket.read(targets) : socket.read(first);
      if (read != 0) {
        return read;
      }
      await(SelectionKey.OP_READ, "nothing was sent");
    }
  }

  long read(ByteBuffer target) throws IOException {
    return read(target, NOWHERE);
  }

  @Override
  public void write(ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      if (socket.write(bytes) == 0) {
        await(SelectionKey.OP_WRITE, "nothing was taken");
      }
    }
  }

  private void await(int operation, String problem) throws IOException {
    try {
      key.interestOps(operation);
      if (selector.select(Math.max(1, patience.toMillis())) == 0 && socket.isOpen()) {
        if (Thread.currentThread().isInterrupted()) {
          throw new IOException("the thread was interrupted");
        }
        throw new SocketTimeoutException(problem + " for " + patience);
      }
      selector.selectedKeys().clear();
    } catch (ClosedSelectorException | CancelledKeyException e) {
      throw (IOException) new ClosedChannelException().initCause(e);
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
    selector.close();
  }
}
