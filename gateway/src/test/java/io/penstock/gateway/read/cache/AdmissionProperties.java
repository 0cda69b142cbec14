package io.penstock.gateway.read.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class AdmissionProperties {
  private static final class Item extends Admission.Resident {
    Item(int weight, long identity) {
      super(weight, identity);
    }
  }

  /** Whatever is done, the books agree with a plain list, and everybody can be evicted. */
  @Property(tries = 300)
  void theBooksAgreeWithAPlainList(@ForAll int seed, @ForAll @IntRange(max = 400) int steps) {
    Random random = new Random(seed);
    Admission<Item> admission = new Admission<>();
    List<Item> inside = new ArrayList<>();
    for (int i = 0; i < steps; i++) {
      int action = random.nextInt(5);
      if (action < 2 || inside.isEmpty()) {
        Item item = new Item(1 + random.nextInt(100), random.nextInt(50));
        admission.admit(item);
        inside.add(item);
      } else if (action == 2) {
        inside.get(random.nextInt(inside.size())).use();
      } else if (action == 3) {
        Item gone = inside.remove(random.nextInt(inside.size()));
        assertThat(admission.remove(gone)).isTrue();
        assertThat(admission.remove(gone)).isFalse();
      } else {
        assertThat(inside.remove(admission.evict().orElseThrow())).isTrue();
      }
      assertThat(admission.residents()).isEqualTo(inside.size());
      assertThat(admission.weight())
          .isEqualTo(inside.stream().mapToLong(Admission.Resident::weight).sum());
    }
    while (!inside.isEmpty()) {
      assertThat(inside.remove(admission.evict().orElseThrow())).isTrue();
    }
    assertThat(admission.evict()).isEmpty();
  }
}
