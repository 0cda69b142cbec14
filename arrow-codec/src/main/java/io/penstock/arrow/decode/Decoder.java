package io.penstock.arrow.decode;

/**
 * Turns the bytes of one object into a sample or into rows, as a {@link DecodeSpec} says. The same
 * bytes and the same item number give the same result on every machine of one kind. Whatever the
 * bytes are, a decoder returns or throws {@link DecodeException}; it takes no more memory than its
 * {@link DecodeLimits} allow, and has given back all of it when it returns.
 *
 * <p>Threading: one decoder serves any number of threads at once and blocks none on I/O.
 */
public sealed interface Decoder permits TensorDecoder, TableDecoder {}
