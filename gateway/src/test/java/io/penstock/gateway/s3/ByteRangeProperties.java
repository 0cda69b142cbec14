package io.penstock.gateway.s3;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.gateway.s3.ByteRange.Extent;
import io.penstock.gateway.s3.ByteRange.Part;
import io.penstock.gateway.s3.ByteRange.Unsatisfiable;
import io.penstock.gateway.s3.ByteRange.Whole;
import java.util.List;
import java.util.stream.LongStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;

/** Against a model that tests each byte of a small object. */
class ByteRangeProperties {

  private static List<Long> bytes(Extent extent, long length) {
    return switch (extent) {
      case Whole() -> LongStream.range(0, length).boxed().toList();
      case Part part -> {
        assertThat(part.length()).isPositive();
        yield LongStream.rangeClosed(part.first(), part.last()).boxed().toList();
      }
      case Unsatisfiable() -> List.of();
    };
  }

  @Property
  void fromTo(
      @ForAll @LongRange(max = 20) long first,
      @ForAll @LongRange(max = 20) long last,
      @ForAll @LongRange(max = 20) long length) {
    Extent extent = ByteRange.parse("bytes=" + first + "-" + last).resolve(length);
    List<Long> model =
        LongStream.range(0, length)
            .filter(b -> last < first || (b >= first && b <= last))
            .boxed()
            .toList();
    assertThat(bytes(extent, length)).isEqualTo(model);
    assertThat(extent instanceof Whole).isEqualTo(last < first);
  }

  @Property
  void from(@ForAll @LongRange(max = 20) long first, @ForAll @LongRange(max = 20) long length) {
    Extent extent = ByteRange.parse("bytes=" + first + "-").resolve(length);
    assertThat(bytes(extent, length))
        .isEqualTo(LongStream.range(0, length).filter(b -> b >= first).boxed().toList());
  }

  @Property
  void suffix(@ForAll @LongRange(max = 20) long wanted, @ForAll @LongRange(max = 20) long length) {
    Extent extent = ByteRange.parse("bytes=-" + wanted).resolve(length);
    assertThat(bytes(extent, length))
        .isEqualTo(LongStream.range(0, length).filter(b -> b >= length - wanted).boxed().toList());
  }

  @Property
  void anyFieldOnAnyObjectStaysInside(
      @ForAll String field, @ForAll @LongRange(max = Long.MAX_VALUE) long length) {
    if (ByteRange.parse("bytes=" + field).resolve(length) instanceof Part(long first, long last)) {
      assertThat(first).isBetween(0L, last);
      assertThat(last).isLessThan(length);
    }
  }
}
