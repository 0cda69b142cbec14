package io.penstock.arrow.decode;

/**
 * What a request wants made of its objects; checked when it is made. {@link Decoders} turns it into
 * a decoder.
 */
public sealed interface DecodeSpec permits ImageSpec, ArraySpec, TableSpec {}
