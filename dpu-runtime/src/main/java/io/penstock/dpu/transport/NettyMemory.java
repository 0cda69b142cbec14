package io.penstock.dpu.transport;

import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.internal.PlatformDependent;

/**
 * Netty's own count of direct memory, which is what its buffers are charged to, apart from the
 * JVM's.
 *
 * <p>Threading: any thread.
 */
public final class NettyMemory {
  private NettyMemory() {}

  /**
   * Bytes beyond which Netty refuses to allocate: {@code -Dio.netty.maxDirectMemory}, else {@code
   * -XX:MaxDirectMemorySize}, else the largest heap.
   */
  public static long limit() {
    return PlatformDependent.maxDirectMemory();
  }

  /** Bytes allocated now, pooled and free chunks included; -1 if Netty does not count. */
  public static long used() {
    return PlatformDependent.usedDirectMemory();
  }

  /**
   * Whether buffers are read and written without the JVM's bounds and liveness checks; the other
   * way costs a large share of the CPU time per byte.
   */
  public static boolean isDirect() {
    return PlatformDependent.hasUnsafe();
  }

  /** Whether buffers come from the pool that {@link NettySettings} asks for. */
  public static boolean isPooled() {
    return ByteBufAllocator.DEFAULT instanceof PooledByteBufAllocator;
  }
}
