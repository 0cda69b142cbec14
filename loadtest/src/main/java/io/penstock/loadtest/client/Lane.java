package io.penstock.loadtest.client;

import io.penstock.loadtest.record.ErrorKind;

/** Room for one request at a time: an HTTP/1 connection, or one stream's place on an HTTP/2 one. */
interface Lane {
  /** From 0, unique within the run. */
  int number();

  /** Sends; the lane says {@link Events#idle} when it can take the next one. */
  void send(Shot shot);

  /** Gives up what is under way, counting it as {@code kind}, and closes. */
  void abandon(ErrorKind kind);

  /** What a lane tells its worker; always on the worker's event loop. */
  interface Events {
    void idle(Lane lane);

    /** No connection: the lane will try again by itself. */
    void refused(ErrorKind kind);
  }
}
