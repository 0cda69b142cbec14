package io.penstock.dpu.transport;

import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;

/**
 * The system properties that Netty reads when its classes are loaded. They must be set before the
 * first of those classes is touched; a property given on the command line is left as it is.
 *
 * <table>
 * <caption>What is set, and why</caption>
 * <tr><td>io.netty.allocator.type=pooled</td><td>Netty 4.2 took up an adaptive allocator as its
 * default, and so does Vert.x; large reads of a fixed size are what the pooled one is for</td></tr>
 * <tr><td>io.netty.allocator.numDirectArenas</td><td>one an event loop and one for all other
 * threads: the default of two a core keeps twice the chunks half empty</td></tr>
 * </table>
 *
 * <p>Threading: for the main thread, before any other uses Netty.
 */
public final class NettySettings {
  private final Map<String, String> wanted;

  public NettySettings(int eventLoops) {
    this.wanted =
        Map.of(
            "io.netty.allocator.type",
            "pooled",
            "io.netty.allocator.numDirectArenas",
            Integer.toString(eventLoops + 1));
  }

  /** Sets what is not set yet. */
  public void apply(Properties system) {
    wanted.forEach(system::putIfAbsent);
  }

  /** What is in force: our wishes, or what the command line says instead. */
  public Map<String, String> inForce(Properties system) {
    Map<String, String> inForce = new TreeMap<>(wanted);
    inForce.replaceAll((name, value) -> system.getProperty(name, value));
    return inForce;
  }
}
