package io.penstock.config;

import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What one record says about its section of the file.
 *
 * @param keys in the order of the components
 * @param names every word that may stand before a colon in this section
 */
record SectionSchema(
    Constructor<? extends Record> constructor, List<KeySchema> keys, Set<String> names) {
  private static final ClassValue<SectionSchema> KNOWN =
      new ClassValue<>() {
        @Override
        protected SectionSchema computeValue(Class<?> type) {
          return describe(type.asSubclass(Record.class));
        }
      };

  static SectionSchema of(Class<? extends Record> type) {
    return KNOWN.get(type);
  }

  private static SectionSchema describe(Class<? extends Record> type) {
    RecordComponent[] components = type.getRecordComponents();
    List<KeySchema> keys = Arrays.stream(components).map(KeySchema::of).toList();
    Set<String> names = new LinkedHashSet<>();
    for (KeySchema key : keys) {
      names.add(key.name());
      if (key.rules().fromFile()) {
        names.add(key.fileName());
      }
    }
    try {
      Class<?>[] types =
          Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
      return new SectionSchema(
          type.getDeclaredConstructor(types), keys, Collections.unmodifiableSet(names));
    } catch (NoSuchMethodException e) {
      throw new IllegalStateException(e);
    }
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
      return constructor.newInstance(values.toArray());
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("cannot create " + constructor.getDeclaringClass(), e);
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
