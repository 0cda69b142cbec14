package io.penstock.loadtest.client;

import io.netty.channel.Channel;
import io.penstock.loadtest.record.ErrorKind;
import org.jspecify.annotations.Nullable;

/**
 * What all lanes have in common: a shot that is due while the connection is being opened again
 * waits for it (the wait is part of its latency), and a lane offers itself exactly once between two
 * shots.
 *
 * <p>Threading: the worker's event loop.
 */
@SuppressWarnings(
    "FutureReturnValueIgnored") // a failed write closes the channel, and that is handled
abstract sealed class ConnectedLane implements Lane permits Http1Lane, Http2Lane {
  final Flight flight;
  private final int number;
  private final Events events;
  private @Nullable Channel channel;
  private @Nullable Shot waiting;
  private boolean offered;
  private boolean abandoned;

  ConnectedLane(int number, Flight flight, Events events) {
    this.number = number;
    this.flight = flight;
    this.events = events;
  }

  abstract void transmit(Channel wire, Shot shot);

  @Override
  public final int number() {
    return number;
  }

  @Override
  public final void send(Shot shot) {
    offered = false;
    flight.start(shot);
    Channel wire = channel;
    if (wire == null) {
      waiting = shot;
    } else {
      transmit(wire, shot);
    }
  }

  /** The connection is open. */
  final void up(Channel wire) {
    channel = wire;
    Shot shot = waiting;
    waiting = null;
    if (abandoned) {
      wire.close();
    } else if (shot != null) {
      transmit(wire, shot);
    } else {
      offer();
    }
  }

  /** The connection is lost, and with it what was under way on it. */
  final void down(ErrorKind kind) {
    channel = null;
    if (waiting == null) {
      flight.fail(kind);
    }
  }

  /** The answer is complete and the connection can take the next request. */
  final void offer() {
    if (!offered && !abandoned) {
      offered = true;
      events.idle(this);
    }
  }

  final void refused(ErrorKind kind) {
    events.refused(kind);
  }

  final boolean abandoned() {
    return abandoned;
  }

  final @Nullable Channel channel() {
    return channel;
  }

  @Override
  public final void abandon(ErrorKind kind) {
    abandoned = true;
    flight.fail(kind);
    if (channel != null) {
      channel.close();
    }
  }
}
