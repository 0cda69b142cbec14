package io.penstock.gateway.testing;

import io.netty.buffer.AbstractByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.ResourceLeakDetector;
import java.lang.reflect.Field;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Fails a test class that leaks a buffer. Netty's detector reports when a tracked buffer is
 * collected, so the check provokes collections before it looks.
 */
public final class LeakWatch implements BeforeAllCallback, AfterAllCallback {
  private static final int COLLECTIONS = 5;
  private final List<String> leaks = new CopyOnWriteArrayList<>();
  private ResourceLeakDetector.Level before;

  @Override
  public void beforeAll(ExtensionContext context) {
    before = ResourceLeakDetector.getLevel();
    ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.PARANOID);
    listen(
        new ResourceLeakDetector.LeakListener() {
          @Override
          public void onLeak(String resourceType, String records) {
            leaks.add(resourceType + records);
          }
        });
  }

  @Override
  public void afterAll(ExtensionContext context) throws InterruptedException {
    for (int i = 0; i < COLLECTIONS; i++) {
      System.gc();
      // the detector reports while it tracks further buffers
      PooledByteBufAllocator.DEFAULT.directBuffer(16).release();
    }
    ResourceLeakDetector.setLevel(before);
    listen(null);
    if (!leaks.isEmpty()) {
      throw new AssertionError(leaks.size() + " leaked: " + leaks);
    }
  }

  /** The detector of all buffers has no public door. */
  private static void listen(ResourceLeakDetector.LeakListener listener) {
    try {
      Field detector = AbstractByteBuf.class.getDeclaredField("leakDetector");
      detector.setAccessible(true);
      ((ResourceLeakDetector<?>) detector.get(null)).setLeakListener(listener);
    } catch (ReflectiveOperationException e) {
      throw new AssertionError("this Netty keeps its leak detector elsewhere", e);
    }
  }
}
