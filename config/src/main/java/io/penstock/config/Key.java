package io.penstock.config;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * What a record component means as a key of the YAML file: the loader checks by it, the reference
 * is written from it. The key is the component's name in kebab-case, its type is the component's
 * type; an {@code Optional} component may be left out, a component with a default too, any other is
 * required. All numbers and defaults are written as they would be in the file.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Key {
  /** One or two sentences for the reference. */
  String doc();

  /** The value when the key is left out; empty means there is none. */
  String defaultValue() default "";

  /** A value to show for a key without a default. */
  String example() default "";

  /** The smallest value, or the smallest number of items of a list. */
  String min() default "";

  /** The largest value. */
  String max() default "";

  /** What the whole text must match; each item of a list. */
  String pattern() default "";

  /** The pattern in words: "must be ...". */
  String expected() default "";

  /** The name of a boolean key beside this one that, when true, forbids this one. */
  String unless() default "";

  /** Whether {@code KEY-file} may name a file that holds the value instead. */
  boolean fromFile() default false;

  /** For a path: what the file must hold. */
  Pem pem() default Pem.NONE;

  /** Whether a change, of the value or of the file it names, takes effect without a restart. */
  boolean reloadable() default false;

  /** Contents of a PEM file. */
  enum Pem {
    NONE,
    CERTIFICATES,
    PRIVATE_KEY
  }
}
