/**
 * How bytes enter and leave the process. In: the configured wish, or none. Out: a {@link
 * io.penstock.dpu.transport.TransportChoice} that was proven to work on this machine, and the Netty
 * settings that go with it. Called once at the start, before anything opens a socket. One of the
 * few packages that may use Netty directly; never serves a request itself.
 */
@NullMarked
package io.penstock.dpu.transport;

import org.jspecify.annotations.NullMarked;
