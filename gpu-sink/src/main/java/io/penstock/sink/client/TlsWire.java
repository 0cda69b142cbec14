package io.penstock.sink.client;

import java.io.IOException;
import java.nio.ByteBuffer;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLParameters;

/**
 * TLS over a {@link PlainWire}. Records are decrypted straight into the reader's memory where a
 * whole one fits, else into a buffer of one record.
 *
 * <p>Threading: as {@link Wire}.
 */
final class TlsWire implements Wire {
  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  private final PlainWire raw;
  private final SSLEngine engine;
  private final ByteBuffer sealed;
  private final ByteBuffer opened;
  private final ByteBuffer sending;
  private boolean ended;

  private TlsWire(PlainWire raw, SSLEngine engine) {
    this.raw = raw;
    this.engine = engine;
    int packet = engine.getSession().getPacketBufferSize();
    // more than one record, so that a read of the socket is worth its call
    this.sealed = ByteBuffer.allocateDirect(8 * packet).flip();
    this.opened = ByteBuffer.allocateDirect(engine.getSession().getApplicationBufferSize()).flip();
    this.sending = ByteBuffer.allocateDirect(packet);
  }

  /** Shakes hands; the certificate must be the host's. */
  static TlsWire over(PlainWire raw, SSLContext trust, String host, int port) throws IOException {
    SSLEngine engine = trust.createSSLEngine(host, port);
    engine.setUseClientMode(true);
    SSLParameters parameters = engine.getSSLParameters();
    parameters.setEndpointIdentificationAlgorithm("HTTPS");
    parameters.setApplicationProtocols(new String[] {"http/1.1"});
    engine.setSSLParameters(parameters);
    TlsWire wire = new TlsWire(raw, engine);
    engine.beginHandshake();
    wire.handshake();
    return wire;
  }

  private void handshake() throws IOException {
    while (true) {
      switch (engine.getHandshakeStatus()) {
        case NEED_WRAP -> wrap(NOTHING);
        case NEED_UNWRAP, NEED_UNWRAP_AGAIN -> {
          opened.clear();
          unwrap(opened);
          opened.flip();
          if (ended) {
            throw new IOException("the connection ended during the TLS handshake");
          }
        }
        case NEED_TASK -> tasks();
        case FINISHED, NOT_HANDSHAKING -> {
          return;
        }
      }
    }
  }

  private void tasks() {
    for (Runnable task = engine.getDelegatedTask();
        task != null;
        task = engine.getDelegatedTask()) {
      task.run();
    }
  }

  @Override
  public long read(ByteBuffer first, ByteBuffer second) throws IOException {
    while (!ended) {
      if (opened.hasRemaining()) {
        return (long) move(first) + move(second);
      }
      if (first.remaining() >= opened.capacity()) {
        int before = first.position();
        unwrap(first);
        int read = first.position() - before;
        if (read > 0) {
          return read;
        }
      } else {
        opened.clear();
        unwrap(opened);
        opened.flip();
      }
      // a new key, or a ticket, in the middle of the stream
      if (!opened.hasRemaining()
          && engine.getHandshakeStatus() != HandshakeStatus.NOT_HANDSHAKING) {
        handshake();
      }
    }
    return -1;
  }

  private int move(ByteBuffer target) {
    int length = Math.min(opened.remaining(), target.remaining());
    target.put(opened.slice(opened.position(), length));
    opened.position(opened.position() + length);
    return length;
  }

  /** One record, if it has come; reads more of the socket if not. */
  private void unwrap(ByteBuffer target) throws IOException {
    SSLEngineResult result = engine.unwrap(sealed, target);
    switch (result.getStatus()) {
      case OK -> {}
      case BUFFER_UNDERFLOW -> {
        sealed.compact();
        long read = raw.read(sealed);
        sealed.flip();
        ended = read < 0;
      }
      case CLOSED -> ended = true;
      case BUFFER_OVERFLOW -> throw new IOException("a TLS record is larger than was agreed");
    }
  }

  private void wrap(ByteBuffer bytes) throws IOException {
    sending.clear();
    SSLEngineResult result = engine.wrap(bytes, sending);
    if (result.getStatus() != SSLEngineResult.Status.OK) {
      throw new IOException("TLS cannot send: " + result.getStatus());
    }
    raw.write(sending.flip());
  }

  @Override
  public void write(ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      wrap(bytes);
    }
  }

  @Override
  public void close() throws IOException {
    // no close_notify: framing says where a response ends, and another thread may be reading
    raw.close();
  }
}
