package io.penstock.sink.export;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.arrow.tensor.TensorField;
import io.penstock.sink.GccLibrary;
import io.penstock.sink.arena.HostArena;
import io.penstock.sink.arena.HostRegion;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.arrow.c.ArrowArray;
import org.apache.arrow.c.ArrowSchema;
import org.apache.arrow.c.CDataDictionaryProvider;
import org.apache.arrow.c.Data;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class CDataExportTest {
  private final AtomicInteger released = new AtomicInteger();

  @BeforeAll
  static void compiler() {
    GccLibrary.needed();
  }

  @Test
  void anArrayIsReadWhereItLies() {
    try (HostArena arena = HostArena.heap(1 << 16);
        HostRegion region = Tensors.region(arena);
        Arena scope = Arena.ofConfined()) {
      long array = scope.allocate(CDataExport.ARRAY_BYTES, 8).address();
      CDataExport.array(Tensors.view(region), array, released::incrementAndGet);
      long[] seen = CConsumer.call("consume_array", array);
      assertThat(seen[CConsumer.DATA]).isEqualTo(region.address() + Tensors.OFFSET);
      assertThat(seen[CConsumer.LENGTH]).isEqualTo(Tensors.SAMPLES);
      assertThat(seen[CConsumer.ELEMENTS]).isEqualTo(Tensors.ELEMENTS);
      assertThat(seen[CConsumer.SUM]).isEqualTo(Tensors.SUM);
      checkReleased();
    }
  }

  @Test
  void aDeviceArrayOfTheProcessorHasNoIdAndNoEvent() {
    try (HostArena arena = HostArena.heap(1 << 16);
        HostRegion region = Tensors.region(arena);
        Arena scope = Arena.ofConfined()) {
      MemorySegment structure = scope.allocate(CDataExport.DEVICE_ARRAY_BYTES, 8).fill((byte) 7);
      CDataExport.deviceArray(Tensors.view(region), structure.address(), released::incrementAndGet);
      long[] seen = CConsumer.call("consume_device_array", structure.address());
      assertThat(seen[CConsumer.SIZE]).isEqualTo(CDataExport.DEVICE_ARRAY_BYTES);
      assertThat(seen[CConsumer.DATA]).isEqualTo(region.address() + Tensors.OFFSET);
      assertThat(seen[CConsumer.DEVICE_TYPE]).as("ARROW_DEVICE_CPU").isEqualTo(1);
      assertThat(seen[CConsumer.DEVICE_ID]).isEqualTo(-1);
      assertThat(seen[CConsumer.EVENT]).isZero();
      assertThat(seen[CConsumer.SUM]).isEqualTo(Tensors.SUM);
      checkReleased();
    }
  }

  @Test
  void elementsThatWereMovedOutLiveLongerThanTheirList() {
    try (HostArena arena = HostArena.heap(1 << 16);
        HostRegion region = Tensors.region(arena);
        Arena scope = Arena.ofConfined()) {
      long array = scope.allocate(CDataExport.ARRAY_BYTES, 8).address();
      long child = scope.allocate(CDataExport.ARRAY_BYTES, 8).address();
      CDataExport.array(Tensors.view(region), array, released::incrementAndGet);
      CConsumer.moveChild(array, child);
      assertThat(released).as("the elements are held").hasValue(0);
      assertThat(CConsumer.consumeChild(child)).isEqualTo(Tensors.SUM);
      checkReleased();
    }
  }

  @Test
  void arrowJavaImportsItWhereItLies() {
    try (HostArena arena = HostArena.heap(1 << 16);
        HostRegion region = Tensors.region(arena);
        RootAllocator allocator = new RootAllocator();
        ArrowArray array = ArrowArray.allocateNew(allocator);
        ArrowSchema schema = ArrowSchema.allocateNew(allocator);
        CDataDictionaryProvider dictionaries = new CDataDictionaryProvider()) {
      Data.exportField(
          allocator,
          TensorField.of("image", Tensors.SPEC, TensorField.Form.LIST),
          dictionaries,
          schema);
      CDataExport.array(Tensors.view(region), array.memoryAddress(), released::incrementAndGet);
      try (FieldVector vector = Data.importVector(allocator, array, schema, dictionaries)) {
        FixedSizeListVector list = (FixedSizeListVector) vector;
        Float4Vector values = (Float4Vector) list.getDataVector();
        assertThat(list.getValueCount()).isEqualTo((int) Tensors.SAMPLES);
        assertThat(values.getDataBufferAddress()).isEqualTo(region.address() + Tensors.OFFSET);
        assertThat(values.get(119)).isEqualTo(119f);
        assertThat(released).hasValue(0);
      }
      checkReleased();
    }
  }

  @Test
  void aRegionMayBeGivenBackByTheConsumer() {
    HostArena arena = HostArena.heap(1 << 16);
    HostRegion region = Tensors.region(arena);
    try (Arena scope = Arena.ofConfined()) {
      MemorySegment array = scope.allocate(CDataExport.ARRAY_BYTES, 8);
      CDataExport.array(Tensors.view(region), array.address(), region::close);
      assertThat(arena.used()).isPositive();
      CConsumer.call("consume_array", array.address());
      assertThat(arena.used()).isZero();
      assertThat(array.get(ValueLayout.JAVA_LONG, 64)).as("marked as released").isZero();
    }
    arena.close();
  }

  private void checkReleased() {
    assertThat(released).as("exactly once").hasValue(1);
    assertThat(Export.held()).isZero();
  }
}
