package io.penstock.loadtest;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(packages = "io.penstock", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
  @ArchTest
  static final ArchRule KNOWS_ONLY_CONFIG_AND_CODEC =
      noClasses()
          .that()
          .resideInAPackage("io.penstock.loadtest..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "io.penstock.gateway..",
              "io.penstock.dpu..",
              "io.penstock.sink..",
              "io.vertx..",
              "com.fasterxml.jackson..");

  @ArchTest
  static final ArchRule NO_CYCLES =
      slices().matching("io.penstock.loadtest.(*)..").should().beFreeOfCycles();

  @ArchTest
  static final ArchRule PLANS_ARE_PURE =
      noClasses()
          .that()
          .resideInAnyPackage("io.penstock.loadtest.plan..", "io.penstock.loadtest.record..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("io.netty..", "java.net..", "java.util.concurrent..");

  @ArchTest
  static final ArchRule NO_CLOCK_IN_PLANS =
      noClasses()
          .that()
          .resideInAnyPackage("io.penstock.loadtest.plan..", "io.penstock.loadtest.record..")
          .should()
          .callMethod(System.class, "nanoTime")
          .orShould()
          .callMethod(System.class, "currentTimeMillis");

  @ArchTest
  static final ArchRule YAML_HAS_ONE_DOOR =
      classes()
          .that()
          .resideOutsideOfPackage("io.penstock.loadtest.plan..")
          .should()
          .onlyDependOnClassesThat()
          .resideOutsideOfPackage("org.yaml..");

  @ArchTest
  static final ArchRule THE_LABS_PLAN_STARTS_NOTHING =
      noClasses()
          .that()
          .resideInAPackage("io.penstock.loadtest.lab.plan..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "java.io..",
              "java.nio..",
              "java.net..",
              "java.util.concurrent..",
              "io.penstock.loadtest.lab.bed..",
              "io.penstock.loadtest.lab.consumer..");

  @ArchTest
  static final ArchRule NAMESPACES_KNOW_NO_EXPERIMENT =
      classes()
          .that()
          .resideInAPackage("io.penstock.loadtest.lab.bed..")
          .should()
          .onlyDependOnClassesThat(
              resideInAnyPackage("java..", "org.jspecify..", "io.penstock.loadtest.lab.bed..")
                  .or(nameMatching("io\\.penstock\\.loadtest\\.lab\\.plan\\.Topology.*")));
}
