package io.penstock.loadtest.record;

import java.util.Locale;

/** How a request can fail. */
public enum ErrorKind {
  CONNECT("no connection"),
  TLS("TLS handshake"),
  CLOSED("connection closed before the answer was complete"),
  CLIENT_STATUS("status 4xx"),
  SLOW_DOWN("status 503"),
  SERVER_STATUS("status 5xx"),
  ODD_STATUS("a status that the request does not allow"),
  LENGTH("wrong length"),
  CONTENT("wrong content"),
  PROTOCOL("not HTTP"),
  UNSENT("due, but every connection was busy until the end"),
  UNFINISHED("no complete answer at the end of the grace time");

  private final String meaning;

  ErrorKind(String meaning) {
    this.meaning = meaning;
  }

  /** In words, for people. */
  public String meaning() {
    return meaning;
  }

  /** As the JSON result names it. */
  public String text() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** The error that this status is, for statuses of 400 and above. */
  public static ErrorKind ofStatus(int status) {
    if (status == 503) {
      return SLOW_DOWN;
    }
    return status >= 500 ? SERVER_STATUS : status >= 400 ? CLIENT_STATUS : ODD_STATUS;
  }
}
