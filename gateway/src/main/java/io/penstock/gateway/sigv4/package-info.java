/**
 * AWS Signature Version 4, both ways, and the payload forms that come with it. In: raw heads and
 * body bytes exactly as on the wire. Out: who signed, or why not; signed fields for the store;
 * decoded and checked body bytes. Never normalises a path or a value before it is verified, never
 * logs a secret.
 */
@NullMarked
package io.penstock.gateway.sigv4;

import org.jspecify.annotations.NullMarked;
