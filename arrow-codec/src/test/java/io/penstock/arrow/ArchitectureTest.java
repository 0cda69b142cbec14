package io.penstock.arrow;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(
    packages = "io.penstock.arrow",
    importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

  /** The leaf: nothing else of ours, no network, no object mapper. */
  @ArchTest
  static final ArchRule LEAF =
      noClasses()
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "io.penstock.config..",
              "io.penstock.dpu..",
              "io.penstock.gateway..",
              "io.penstock.sink..",
              "io.penstock.loadtest..",
              "io.netty..",
              "io.vertx..",
              "java.net..",
              "com.fasterxml.jackson.databind..");

  /** What a batch is does not know how objects are decoded. */
  @ArchTest
  static final ArchRule DECODERS_ARE_ON_TOP =
      noClasses()
          .that()
          .resideInAnyPackage("io.penstock.arrow.tensor..", "io.penstock.arrow.ipc..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("io.penstock.arrow.decode..");

  @ArchTest
  static final ArchRule NO_CYCLES = slices().matching("io.penstock.(**)").should().beFreeOfCycles();

  /** Mapped memory has one door. */
  @ArchTest
  static final ArchRule SHARED_MEMORY_HAS_ONE_DOOR =
      noClasses()
          .that()
          .resideOutsideOfPackage("io.penstock.arrow.ring..")
          .should()
          .dependOnClassesThat()
          .haveFullyQualifiedName("java.nio.channels.FileChannel");

  /** System calls are the ring's; the door of OpenCV looks one function of that library up. */
  @ArchTest
  static final ArchRule FOREIGN_CALLS_HAVE_TWO_DOORS =
      noClasses()
          .that()
          .resideOutsideOfPackage("io.penstock.arrow.ring..")
          .and()
          .doNotHaveFullyQualifiedName("io.penstock.arrow.decode.OpenCv")
          .should()
          .dependOnClassesThat()
          .haveFullyQualifiedName("java.lang.foreign.Linker");

  /** Clock, random and environment come in by constructors: the same request, the same batch. */
  @ArchTest
  static final ArchRule NO_HIDDEN_INPUT =
      noClasses()
          .should()
          .callMethod(System.class, "getenv", String.class)
          .orShould()
          .callMethod(System.class, "currentTimeMillis")
          .orShould()
          .callMethod(System.class, "nanoTime")
          .orShould()
          .callConstructor(java.util.Random.class)
          .orShould()
          .callMethod(Math.class, "random");
}
