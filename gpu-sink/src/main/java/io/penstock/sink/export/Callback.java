package io.penstock.sink.export;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A C function that takes one pointer: what consumers call to release something. */
final class Callback {
  private static final Logger LOG = LoggerFactory.getLogger(Callback.class);

  private Callback() {}

  /** The address of such a function, which lives as long as the process. */
  static MemorySegment of(Consumer<MemorySegment> action) {
    Consumer<MemorySegment> guarded = structure -> call(action, structure);
    try {
      return Linker.nativeLinker()
          .upcallStub(
              MethodHandles.lookup()
                  .findVirtual(
                      Consumer.class, "accept", MethodType.methodType(void.class, Object.class))
                  .bindTo(guarded)
                  .asType(MethodType.methodType(void.class, MemorySegment.class)),
              FunctionDescriptor.ofVoid(ValueLayout.ADDRESS),
              Arena.global());
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("no callback for consumers", e);
    }
  }

  /** An exception that leaves a callback ends the process, and the consumer could not handle it. */
  private static void call(Consumer<MemorySegment> action, MemorySegment structure) {
    try {
      action.accept(structure);
    } catch (RuntimeException e) {
      LOG.error("a consumer released a batch, and giving its memory back failed", e);
    }
  }
}
