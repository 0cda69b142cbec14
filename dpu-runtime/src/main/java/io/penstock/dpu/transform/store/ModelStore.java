package io.penstock.dpu.transform.store;

import io.penstock.dpu.memory.MemoryBudget;
import io.penstock.dpu.transform.model.FrozenModel;
import io.penstock.dpu.transform.model.ModelException;
import io.penstock.dpu.transform.model.ModelException.Reason;
import io.penstock.dpu.transform.model.ModelLimits;
import io.penstock.dpu.transform.model.ModelSource;
import io.penstock.dpu.transform.onnx.Compute;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * The configured models. A model is read, checked and tried when it is first asked for; one that
 * was refused stays refused without being read again. Sessions, one for each model and split in
 * use, stay open until their memory is needed for others.
 *
 * <p>Threading: any thread that may block. Models are loaded one at a time, so that loading never
 * takes more than one model's memory twice.
 *
 * <p>Ownership: {@link #close} closes every session that is not in use, and the others when they
 * are given back.
 */
public final class ModelStore implements AutoCloseable {
  private final Setup setup;
  private final Sessions sessions;
  private final ModelMemory memory;
  private final Map<String, Entry> entries = new TreeMap<>();

  /**
   * What a store is made of.
   *
   * @param pins the models there are, their names unique
   * @param concurrency how many threads may compute at once, for the memory they need
   * @param mayBlock whether the calling thread may compute: not if it is an event loop
   */
  public record Setup(
      List<ModelPin> pins,
      ModelSource source,
      ModelLimits limits,
      Compute compute,
      int concurrency,
      BooleanSupplier mayBlock) {
    public Setup {
      pins = List.copyOf(pins);
    }
  }

  /**
   * @throws IllegalArgumentException if two models have one name
   * @throws ModelException if this machine cannot compute as asked
   */
  public ModelStore(Setup setup, MemoryBudget budget) {
    setup.compute().check();
    this.setup = setup;
    this.sessions = new Sessions();
    this.memory = new ModelMemory(budget, sessions::evictIdle);
    for (ModelPin pin : setup.pins()) {
      if (entries.put(pin.id().name(), new Entry(pin)) != null) {
        throw new IllegalArgumentException("two models are called " + pin.id().name());
      }
    }
  }

  /** The names there are, sorted. */
  public List<String> names() {
    return List.copyOf(entries.keySet());
  }

  /**
   * The model called {@code name}. Blocks when it is asked for the first time.
   *
   * @throws ModelException if there is none, or it is refused
   */
  public FrozenModel open(String name) {
    checkMayBlock();
    Entry entry = entries.get(name);
    if (entry == null) {
      throw new ModelException(
          Reason.UNKNOWN_MODEL, "no model is called " + name + "; there are " + names());
    }
    return entry.open();
  }

  @Override
  public void close() {
    sessions.close();
  }

  /** Sessions open now, in use or idle. */
  public int sessions() {
    return sessions.count();
  }

  private void checkMayBlock() {
    if (!setup.mayBlock().getAsBoolean()) {
      throw new IllegalStateException(
          "models are not for " + Thread.currentThread().getName() + ", which must not block");
    }
  }

  /** One configured model: not tried yet, tried, or refused. */
  private final class Entry {
    private final ModelPin pin;
    private final ReentrantLock lock = new ReentrantLock();
    private volatile @org.jspecify.annotations.Nullable FrozenModel opened;
    private volatile @org.jspecify.annotations.Nullable ModelException refused;

    Entry(ModelPin pin) {
      this.pin = pin;
    }

    FrozenModel open() {
      FrozenModel ready = opened;
      if (ready != null) {
        return ready;
      }
      lock.lock();
      try {
        ModelException earlier = refused;
        if (earlier != null) {
          throw new ModelException(earlier.reason(), String.valueOf(earlier.getMessage()), earlier);
        }
        FrozenModel model = opened;
        if (model == null) {
          model = load();
          opened = model;
        }
        return model;
      } finally {
        lock.unlock();
      }
    }

    private FrozenModel load() {
      ModelFile file = new ModelFile(pin, setup.source(), setup.limits(), memory);
      try {
        return StoredModel.load(file, new StoredModel.Engine(setup, sessions, memory));
      } catch (ModelException e) {
        // the hash holds, so what the file is will not change
        if (e.reason() == Reason.REFUSED) {
          refused = e;
        }
        throw e;
      }
    }
  }
}
