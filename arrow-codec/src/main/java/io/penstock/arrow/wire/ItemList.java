package io.penstock.arrow.wire;

import java.util.Objects;
import java.util.Optional;

/**
 * Items in the order they were named, in columns: a million plain keys take their bytes and four
 * more each, and what no item has takes nothing.
 *
 * <p>Threading: immutable.
 */
public final class ItemList {
  private final int size;
  private final TextColumn keys;
  private final TextColumn versions;
  private final TextColumn members;
  private final LongColumn offsets;
  private final LongColumn lengths;
  private final Labels labels;

  private ItemList(Builder builder) {
    this.size = builder.size;
    this.keys = builder.keys;
    this.versions = builder.versions;
    this.members = builder.members;
    this.offsets = builder.offsets;
    this.lengths = builder.lengths;
    this.labels = builder.labels;
  }

  public int size() {
    return size;
  }

  /** The type of all labels. */
  public LabelType labelType() {
    return labels.type();
  }

  /**
   * The item at {@code index}, from 0.
   *
   * @throws IndexOutOfBoundsException if there is no such item
   */
  public Item get(int index) {
    Objects.checkIndex(index, size);
    long length = lengths.get(index);
    return new Item(
        keys.get(index).orElse(""),
        versions.get(index),
        length == 0 ? Optional.empty() : Optional.of(new Item.Range(offsets.get(index), length)),
        members.get(index),
        labels.get(index));
  }

  /** Bytes on the heap, roughly: what a budget should be charged with. */
  public long heapBytes() {
    return keys.heapBytes()
        + versions.heapBytes()
        + members.heapBytes()
        + offsets.heapBytes()
        + lengths.heapBytes()
        + labels.heapBytes();
  }

  /**
   * Takes items one by one.
   *
   * <p>Threading: one thread.
   */
  public static final class Builder {
    private final TextColumn keys = new TextColumn();
    private final TextColumn versions = new TextColumn();
    private final TextColumn members = new TextColumn();
    private final LongColumn offsets = new LongColumn();
    private final LongColumn lengths = new LongColumn();
    private final Labels labels = new Labels();
    private int size;

    /**
     * Adds an item.
     *
     * @throws IllegalArgumentException if its label is of another kind than those before
     */
    public Builder add(Item item) {
      labels.set(size, item.label());
      keys.set(size, item.key());
      item.versionId().ifPresent(version -> versions.set(size, version));
      item.member().ifPresent(member -> members.set(size, member));
      item.range()
          .ifPresent(
              range -> {
                offsets.set(size, range.offset());
                lengths.set(size, range.length());
              });
      size++;
      return this;
    }

    public int size() {
      return size;
    }

    /** The list; the builder is not used afterwards. */
    public ItemList build() {
      return new ItemList(this);
    }
  }
}
