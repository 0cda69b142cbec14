package io.penstock.config;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(
    packages = "io.penstock.config",
    importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

  /** The leaf: nothing of ours, no network, no Arrow, no object mapper. */
  @ArchTest
  static final ArchRule LEAF =
      classes()
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "java..",
              "io.penstock.config..",
              "org.jspecify.annotations..",
              "org.slf4j..",
              "org.snakeyaml.engine..");

  @ArchTest
  static final ArchRule ONE_DOOR_TO_YAML =
      noClasses()
          .that()
          .resideOutsideOfPackage("io.penstock.config.yaml")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("org.snakeyaml..");

  @ArchTest
  static final ArchRule NO_CYCLES = slices().matching("io.penstock.(**)").should().beFreeOfCycles();

  /** Environment and clock come in by constructors. */
  @ArchTest
  static final ArchRule NO_HIDDEN_INPUT =
      noClasses()
          .should()
          .callMethod(System.class, "getenv")
          .orShould()
          .callMethod(System.class, "getenv", String.class)
          .orShould()
          .callMethod(System.class, "getProperty", String.class)
          .orShould()
          .callMethod(System.class, "currentTimeMillis")
          .orShould()
          .callMethod(System.class, "nanoTime");

  /** Only what takes no part in checking may log; messages of the loader go to its caller. */
  @ArchTest
  static final ArchRule LOADING_IS_SILENT =
      noClasses()
          .that()
          .doNotHaveSimpleName("ConfigHandle")
          .and()
          .doNotHaveSimpleName("ConfigWatcher")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("org.slf4j..");
}
