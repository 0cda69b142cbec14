package io.penstock.gateway;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import io.penstock.gateway.s3.WallBreaker;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The walls inside the gateway: which package may know which, and the one door of each library. */
class ArchitectureTest {
  private static final JavaClasses GATEWAY =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("io.penstock.gateway");

  /** What no package may know, by package. */
  private static final Map<String, String[]> WALLS =
      Map.ofEntries(
          entry("http", others("http")),
          entry("s3", others("s3", "http")),
          entry("checksum", others("checksum")),
          entry("tenant", others("tenant", "s3", "http", "sigv4")),
          entry("sigv4", others("sigv4", "s3", "http", "checksum")),
          entry("upstream", others("upstream", "s3", "sigv4", "http")),
          entry("read", others("read", "upstream", "s3", "http")),
          entry("exchange", others("exchange", "tenant", "upstream", "s3", "sigv4", "http")),
          entry("transform", others("transform", "s3")),
          entry(
              "batch",
              others("batch", "transform", "exchange", "read", "tenant", "upstream", "s3", "http")),
          entry(
              "access",
              others(
                  "access",
                  "route",
                  "transform",
                  "exchange",
                  "read",
                  "tenant",
                  "upstream",
                  "s3",
                  "http")),
          entry(
              "route",
              others(
                  "route",
                  "batch",
                  "exchange",
                  "read",
                  "tenant",
                  "upstream",
                  "s3",
                  "sigv4",
                  "http")),
          entry("server", others("server", "exchange", "s3", "http")));

  private static String[] others(String... allowed) {
    return Stream.of(
            "access",
            "app",
            "batch",
            "checksum",
            "embedded",
            "exchange",
            "http",
            "observe",
            "read",
            "route",
            "s3",
            "server",
            "sigv4",
            "tenant",
            "transform",
            "upstream")
        .filter(name -> !java.util.List.of(allowed).contains(name))
        .map(name -> "io.penstock.gateway." + name + "..")
        .toArray(String[]::new);
  }

  static Stream<String> walled() {
    return WALLS.keySet().stream().sorted();
  }

  @ParameterizedTest
  @MethodSource("walled")
  void aPackageKnowsOnlyWhatIsBelowIt(String name) {
    wall(name).check(GATEWAY);
  }

  private static ArchRule wall(String name) {
    return noClasses()
        .that()
        .resideInAPackage("io.penstock.gateway." + name + "..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(WALLS.get(name));
  }

  @Test
  void packagesHaveNoCycles() {
    slices().matching("io.penstock.gateway.(*)..").should().beFreeOfCycles().check(GATEWAY);
  }

  static Stream<ArchRule> doors() {
    return Stream.of(
        door("org.gaul..", "embedded"),
        door("software.amazon..", "embedded", "app.cli"),
        door("picocli..", "app.cli"),
        door("io.micrometer..", "observe"),
        door("ch.qos.logback..", "app.cli"),
        door("io.netty.channel..", "server", "upstream", "upstream.wire"),
        door("io.netty.bootstrap..", "upstream.wire"),
        door("io.netty.handler..", "server", "upstream.wire"),
        door("com.fasterxml.jackson.."),
        door("java.lang.foreign..", "batch", "transform"),
        door("org.apache.arrow.."),
        door("com.dynatrace.hash4j..", "checksum"),
        pure("s3"),
        pure("sigv4"),
        pure("checksum", "com.dynatrace.hash4j.."),
        pure("tenant"),
        pure("http"));
  }

  @ParameterizedTest
  @MethodSource("doors")
  void aLibraryHasOneDoor(ArchRule door) {
    door.allowEmptyShould(true).check(GATEWAY);
  }

  private static ArchRule door(String library, String... packages) {
    return noClasses()
        .that()
        .resideOutsideOfPackages(
            Stream.of(packages).map(name -> "io.penstock.gateway." + name).toArray(String[]::new))
        .should()
        .dependOnClassesThat()
        .resideInAPackage(library);
  }

  private static ArchRule pure(String name, String... libraries) {
    String[] allowed = {
      "java..",
      "javax.crypto..",
      "javax.xml..",
      "org.w3c.dom..",
      "org.xml.sax..",
      "org.jspecify..",
      "io.netty.buffer..",
      "io.netty.util..",
      "io.penstock.config..",
      "io.penstock.gateway.."
    };
    return classes()
        .that()
        .resideInAPackage("io.penstock.gateway." + name)
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            Stream.concat(Stream.of(allowed), Stream.of(libraries)).toArray(String[]::new));
  }

  @Test
  void aBrokenWallIsNoticed() {
    JavaClasses broken = new ClassFileImporter().importClasses(WallBreaker.class);
    assertThat(wall("s3").evaluate(broken).hasViolation()).isTrue();
    assertThat(pure("s3").evaluate(broken).hasViolation()).isTrue();
    assertThat(door("io.micrometer..", "observe").evaluate(broken).hasViolation()).isTrue();
  }
}
