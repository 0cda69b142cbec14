package io.penstock.sink;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The walls of this module, and the doors in them. */
@AnalyzeClasses(packages = "io.penstock.sink", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

  /** The wire format is all that the sink and the gateway have in common. */
  @ArchTest
  static final ArchRule onlyTheConfigurationAndTheCodecMayBeUsed =
      noClasses()
          .should()
          .dependOnClassesThat(
              resideInAnyPackage("io.penstock..")
                  .and(
                      resideOutsideOfPackages(
                          "io.penstock.sink..", "io.penstock.config..", "io.penstock.arrow..")));

  @ArchTest
  static final ArchRule signaturesAndSocketsAreTheClients =
      noClasses()
          .that()
          .resideOutsideOfPackage("io.penstock.sink.client")
          .should()
          .dependOnClassesThat(
              resideInAnyPackage("software.amazon.awssdk..", "java.net..", "javax.net..")
                  .and(
                      com.tngtech.archunit.base.DescribedPredicate.not(
                          com.tngtech.archunit.core.domain.JavaClass.Predicates.equivalentTo(
                              java.net.URI.class))));

  @ArchTest
  static final ArchRule signaturesHaveOneDoor =
      noClasses()
          .that()
          .haveSimpleNameNotContaining("RequestSigner")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("software.amazon.awssdk..");

  @ArchTest
  static final ArchRule theDriverOfTheDeviceHasOneDoor =
      noClasses()
          .that()
          .resideOutsideOfPackage("io.penstock.sink.arena.cuda")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("jcuda..");

  /** Functions of C are called, and given out to be called, nowhere else. */
  @ArchTest
  static final ArchRule callbacksHaveOneDoor =
      noClasses()
          .that()
          .resideOutsideOfPackage("io.penstock.sink.export")
          .should()
          .dependOnClassesThat()
          .haveFullyQualifiedName("java.lang.foreign.Linker");

  /** Whoever reads a region need not know how its memory came about. */
  @ArchTest
  static final ArchRule arenasKnowNothingOfTheirUsers =
      noClasses()
          .that()
          .resideInAPackage("io.penstock.sink.arena..")
          .should()
          .dependOnClassesThat(
              resideInAnyPackage("io.penstock.sink..")
                  .and(resideOutsideOfPackages("io.penstock.sink.arena..")));

  @ArchTest
  static final ArchRule noCycles = slices().matching("io.penstock.(**)").should().beFreeOfCycles();
}
