package io.penstock.gateway.s3;

/** What the body of a request is to the gateway. */
public enum BodyKind {
  /** The operation has no body; one that is sent anyway has no meaning. */
  NONE,
  /** The bytes of an object or a part, of any size; never held whole. */
  STREAM,
  /** A small XML or JSON document, read whole up to {@code limits.max-xml-body}. */
  DOCUMENT
}
