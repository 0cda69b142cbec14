package io.penstock.gateway.http;

/**
 * Request line and fields exactly as on the wire; for HTTP/2 the {@code :authority} is given as
 * {@code host}.
 *
 * @param target the raw request target, e.g. {@code /bucket/a%2Fb?list-type=2}; never decoded or
 *     normalised
 */
public record RequestHead(String method, String target, HttpFields fields) {

  /** The raw target up to the first {@code ?}. */
  public String rawPath() {
    int question = target.indexOf('?');
    return question < 0 ? target : target.substring(0, question);
  }

  /** The raw target after the first {@code ?}, or empty. */
  public String rawQuery() {
    int question = target.indexOf('?');
    return question < 0 ? "" : target.substring(question + 1);
  }
}
