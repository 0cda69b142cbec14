package io.penstock.config;

import java.lang.reflect.Constructor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** What one record says about its section of the file. */
record SectionSchema(Class<? extends Record> type, List<KeySchema> keys) {
  private static final ClassValue<SectionSchema> KNOWN =
      new ClassValue<>() {
        @Override
        protected SectionSchema computeValue(Class<?> type) {
          var keys = Arrays.stream(type.getRecordComponents()).map(KeySchema::of).toList();
          return new SectionSchema(type.asSubclass(Record.class), keys);
        }
      };

  static SectionSchema of(Class<? extends Record> type) {
    return KNOWN.get(type);
  }

  /** Every word that may stand before a colon in this section. */
  List<String> names() {
    List<String> names = new ArrayList<>();
    for (KeySchema key : keys) {
      names.add(key.name());
      if (key.rules().fromFile()) {
        names.add(key.fileName());
      }
    }
    return names;
  }

  boolean hasRequiredKeys() {
    return keys.stream().anyMatch(KeySchema::required);
  }

  List<String> requiredNames() {
    return keys.stream().filter(KeySchema::required).map(KeySchema::name).toList();
  }

  /** Where a key of this name belongs, seen from the section at {@code path}. */
  Optional<String> sectionOf(String name, String path) {
    for (KeySchema key : keys) {
      Shape inner = key.shape() instanceof Shape.Many many ? many.item() : key.shape();
      if (inner instanceof Shape.Nested nested) {
        SectionSchema section = of(nested.type());
        String here = path.isEmpty() ? key.name() : path + "." + key.name();
        Optional<String> found =
            section.names().contains(name) ? Optional.of(here) : section.sectionOf(name, here);
        if (found.isPresent()) {
          return found;
        }
      }
    }
    return Optional.empty();
  }

  /** Makes the record from one value a component, in their order. */
  Record create(Collection<?> values) {
    try {
      Class<?>[] types =
          keys.stream().map(key -> key.component().getType()).toArray(Class<?>[]::new);
      Constructor<? extends Record> constructor = type.getDeclaredConstructor(types);
      return constructor.newInstance(values.toArray());
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("cannot create " + type, e);
    }
  }

  /** Reads one component of a record of this section. */
  static Object get(Record section, KeySchema key) {
    try {
      return key.component().getAccessor().invoke(section);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("cannot read " + key.component(), e);
    }
  }
}
