package io.penstock.config;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** How an enum constant is written in the file, when that is not its name in kebab-case. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.FIELD)
@interface Spelling {
  String value();
}
