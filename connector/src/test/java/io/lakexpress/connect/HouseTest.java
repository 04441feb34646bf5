package io.lakexpress.connect;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.conditions.ArchPredicates.are;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.time.Clock;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Who may know whom inside the connectors: the arrows of docs/architecture.md. */
final class HouseTest {
  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("io.lakexpress");

  private static final String CONNECT = "io.lakexpress.connect";
  private static final String SOURCE = CONNECT + ".source";
  private static final String LAKE = CONNECT + ".lake";

  @Test
  void packagesHaveNoCycles() {
    check(slices().matching("io.lakexpress.(**)").should().beFreeOfCycles());
  }

  @Test
  void sourceAndLakeNeverSeeEachOther() {
    check(
        noClasses()
            .that()
            .resideInAPackage(SOURCE + "..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage(LAKE + ".."));
    check(
        noClasses()
            .that()
            .resideInAPackage(LAKE + "..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage(SOURCE + ".."));
  }

  @Test
  void theSharedRimKnowsNeitherSourceNorLake() {
    check(
        noClasses()
            .that()
            .resideInAPackage(CONNECT)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(SOURCE + "..", LAKE + ".."));
  }

  @Test
  void jdbcIsKnownOnlyWhereItIsSpoken() {
    check(
        noClasses()
            .that()
            .resideOutsideOfPackages(
                SOURCE + ".jdbc..", LAKE + ".finish..", "io.lakexpress.lxdb.jdbc..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("java.sql.."));
  }

  @Test
  void parquetIsKnownOnlyToItsPackage() {
    check(
        noClasses()
            .that()
            .resideOutsideOfPackage(LAKE + ".parquet..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.apache.parquet..", "org.apache.hadoop.."));
  }

  @Test
  void middleClassesKnowOnlyConnectsDataAndHeaders() {
    check(
        noClasses()
            .that()
            .resideInAnyPackage(SOURCE + ".jdbc..", LAKE + ".parquet..", LAKE + ".storage..")
            .should()
            .dependOnClassesThat(
                are(resideInAPackage("org.apache.kafka.."))
                    .and(
                        JavaClass.Predicates.resideOutsideOfPackages(
                            "org.apache.kafka.connect.data..",
                            "org.apache.kafka.connect.errors.."))));
  }

  @Test
  void theLoopsDoNotKnowTheRims() {
    check(
        noClasses()
            .that()
            .resideInAnyPackage(SOURCE + ".read..", SOURCE + ".jdbc..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage(SOURCE));
    check(
        noClasses()
            .that()
            .resideInAnyPackage(
                LAKE + ".file..", LAKE + ".parquet..", LAKE + ".storage..", LAKE + ".finish..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage(LAKE));
  }

  @Test
  void theClockIsInjected() {
    check(
        noClasses()
            .that()
            .resideInAnyPackage(
                SOURCE + ".read..",
                LAKE + ".file..",
                LAKE + ".finish..",
                "io.lakexpress.watermark..")
            .should()
            .callMethod(Instant.class, "now")
            .orShould()
            .callMethod(Clock.class, "systemUTC")
            .orShould()
            .callMethod(System.class, "currentTimeMillis"));
  }

  @Test
  void datesAreJavaTime() {
    check(
        noClasses()
            .should()
            .dependOnClassesThat()
            .haveFullyQualifiedName("java.sql.Timestamp")
            .orShould()
            .dependOnClassesThat()
            .haveFullyQualifiedName("java.sql.Date"));
  }

  @Test
  void tasksAreFinalOrPublicForConnectOnly() {
    check(
        classes()
            .that()
            .resideInAnyPackage(SOURCE, LAKE)
            .and()
            .arePublic()
            .and()
            .areNotInterfaces()
            .should()
            .haveModifier(com.tngtech.archunit.core.domain.JavaModifier.FINAL)
            .orShould()
            .haveSimpleNameStartingWith("LakeXpress"));
  }

  private static void check(ArchRule rule) {
    rule.allowEmptyShould(true).check(CLASSES);
  }
}
