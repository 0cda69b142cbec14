package io.penstock.loadtest.content;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;

class ContentProperties {
  private static ByteBuf bytes(int n, long offset, long length) {
    ByteBuf all = Unpooled.buffer();
    Content.slices(n, offset, length).forEach(all::writeBytes);
    return all;
  }

  @Property(tries = 200)
  void aPartIsTheSameHoweverItIsCut(
      @ForAll @IntRange(min = 0, max = 100_000) int n,
      @ForAll @LongRange(min = 0, max = 1L << 45) long offset,
      @ForAll @IntRange(min = 0, max = 2_500_000) int length,
      @ForAll @IntRange(min = 0, max = 2_500_000) int cut) {
    int first = Math.min(cut, length);
    ByteBuf whole = bytes(n, offset, length);
    ByteBuf parts = bytes(n, offset, first).writeBytes(bytes(n, offset + first, length - first));
    assertThat(whole.readableBytes()).isEqualTo(length);
    assertThat(parts).isEqualTo(whole);
    assertThat(Content.matches(whole, n, offset)).isTrue();
  }

  @Property(tries = 200)
  void bytesOfAnotherPlaceAreNoticed(
      @ForAll @IntRange(min = 0, max = 1000) int n,
      @ForAll @IntRange(min = 0, max = 64) int part,
      @ForAll @IntRange(min = 0, max = 64) int other,
      @ForAll @IntRange(min = 12, max = 25) int log) {
    long size = 1L << log;
    ByteBuf bytes = bytes(n, part * size, 4096);
    assertThat(Content.matches(bytes, n, other * size)).isEqualTo(part == other);
  }

  @Property(tries = 100)
  void aSingleWrongByteIsNoticed(
      @ForAll @IntRange(min = 1, max = 2_000_000) int length, @ForAll @IntRange int place) {
    ByteBuf bytes = bytes(3, 77, length);
    int at = Math.floorMod(place, length);
    bytes.setByte(at, bytes.getByte(at) + 1);
    assertThat(Content.matches(bytes, 3, 77)).isFalse();
  }

  @Property
  void namesSaySizeAndNumber(
      @ForAll @LongRange(min = 0, max = 1L << 50) long size, @ForAll @IntRange(min = 0) int n) {
    String name = "some/prefix/" + size + "-" + n;
    assertThat(SyntheticObject.named(name)).contains(new SyntheticObject(name, size, n));
  }

  @Property
  void otherNamesAreNoObjects(@ForAll String name) {
    assertThat(SyntheticObject.named("x" + name.replace('/', '_'))).isEmpty();
    assertThat(SyntheticObject.named("-1")).isEmpty();
    assertThat(SyntheticObject.named("99999999999999999999-1")).isEmpty();
  }
}
