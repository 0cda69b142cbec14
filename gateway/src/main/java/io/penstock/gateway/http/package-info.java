/**
 * The words of HTTP that every other package speaks: heads, fields and bodies as values and
 * streams, without any library's types but {@link io.netty.buffer.ByteBuf}. Never parses, never
 * opens a connection.
 */
@NullMarked
package io.penstock.gateway.http;

import org.jspecify.annotations.NullMarked;
