package io.penstock.gateway.upstream.wire;

import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import java.net.InetSocketAddress;
import java.util.List;

/**
 * Turns a host name into addresses, anew for every connection (a cache below may keep them for
 * their time to live).
 *
 * <p>Threading: called on the event loop; never blocks it; the future completes on it.
 */
@FunctionalInterface
public interface NameLookup {
  Future<List<InetSocketAddress>> lookUp(EventLoop loop, String host);
}
