package io.penstock.dpu;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The walls of this module, and the doors in them. */
@AnalyzeClasses(packages = "io.penstock.dpu", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

  @ArchTest
  static final ArchRule onlyTheConfigurationAndTheCodecMayBeUsed =
      noClasses()
          .should()
          .dependOnClassesThat(
              resideInAnyPackage("io.penstock..")
                  .and(
                      resideOutsideOfPackages(
                          "io.penstock.dpu..", "io.penstock.config..", "io.penstock.arrow..")));

  @ArchTest
  static final ArchRule nativeFunctionsHaveTheirDoors =
      noClasses()
          .that()
          .resideOutsideOfPackages("io.penstock.dpu.cpu", "io.penstock.dpu.transform..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("java.lang.foreign..");

  @ArchTest
  static final ArchRule rawNettyStaysInTheTransport =
      noClasses()
          .that()
          .resideOutsideOfPackage("io.penstock.dpu.transport")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("io.netty..");

  @ArchTest
  static final ArchRule vertxIsForTheTransportAndTheRoot =
      noClasses()
          .that()
          .resideOutsideOfPackages("io.penstock.dpu", "io.penstock.dpu.transport")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("io.vertx..");

  @ArchTest
  static final ArchRule jsonIsWrittenByVertx =
      noClasses()
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("com.fasterxml.jackson..", "tools.jackson..");

  @ArchTest
  static final ArchRule theMemoryBudgetStandsAlone =
      classes()
          .that()
          .resideInAPackage("io.penstock.dpu.memory")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage("io.penstock.dpu.memory", "java..", "org.jspecify..");

  @ArchTest
  static final ArchRule splitsAreChosenByFiguresAlone =
      classes()
          .that()
          .resideInAPackage("io.penstock.dpu.transform.split")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage("io.penstock.dpu.transform.split", "java..", "org.jspecify..");

  @ArchTest
  static final ArchRule onnxRuntimeHasOneDoor =
      noClasses()
          .that()
          .resideOutsideOfPackage("io.penstock.dpu.transform.onnx")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("ai.onnxruntime..");

  @ArchTest
  static final ArchRule modelsAreReadWithoutAFileOrALibrary =
      classes()
          .that()
          .resideInAnyPackage("io.penstock.dpu.transform.graph", "io.penstock.dpu.transform.model")
          .should()
          .onlyDependOnClassesThat(
              resideInAnyPackage(
                      "io.penstock.dpu.transform.graph",
                      "io.penstock.dpu.transform.model",
                      "io.penstock.arrow.tensor",
                      "java..",
                      "org.jspecify..")
                  .and(resideOutsideOfPackages("java.nio.file..", "java.net..")));

  @ArchTest
  static final ArchRule modelPackagesDependOneWay =
      slices().matching("io.penstock.dpu.transform.(*)..").should().beFreeOfCycles();

  @ArchTest
  static final ArchRule packagesDependOneWay =
      slices().matching("io.penstock.dpu.(*)..").should().beFreeOfCycles();
}
