/**
 * Signature version 4 from the client's side, and the aws-chunked framing of signed bodies. In: a
 * request and keys. Out: the headers to send, the framed body. Called by the client's request book
 * before the run. Pure functions of their inputs, the time included; never reads keys from
 * anywhere. Written apart from the gateway's verifier on purpose: two readings of the specification
 * check each other.
 */
@NullMarked
package io.penstock.loadtest.sign;

import org.jspecify.annotations.NullMarked;
