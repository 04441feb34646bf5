package io.lakexpress;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZonedDateTime;
import java.util.List;

/** Who knows whom in this module, and that time comes from outside. */
@AnalyzeClasses(packages = "io.lakexpress", importOptions = ImportOption.DoNotIncludeTests.class)
final class HouseTest {
  private static final String WATERMARK = "io.lakexpress.watermark";
  private static final String OFFSET = "io.lakexpress.offset";
  private static final String LXDB = "io.lakexpress.lxdb";
  private static final String JDBC = "io.lakexpress.lxdb.jdbc..";

  @ArchTest static final ArchRule watermarkKnowsNothing = knowsOnly(WATERMARK);
  @ArchTest static final ArchRule offsetKnowsWatermark = knowsOnly(OFFSET, WATERMARK);
  @ArchTest static final ArchRule lxdbKnowsWatermark = knowsOnly(LXDB, WATERMARK);

  @ArchTest
  static final ArchRule lxdbJdbcNeverSeesOffsets =
      noClasses()
          .that()
          .resideInAPackage(JDBC)
          .should()
          .dependOnClassesThat()
          .resideInAPackage(OFFSET)
          .allowEmptyShould(true);

  @ArchTest
  static final ArchRule sqlIsSpokenInLxdbJdbcAlone =
      noClasses()
          .that()
          .resideOutsideOfPackage(JDBC)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("java.sql..", "javax.sql..");

  @ArchTest
  static final ArchRule packagesHaveNoCycles =
      slices().matching("io.lakexpress.(**)").should().beFreeOfCycles();

  @ArchTest
  static final ArchRule timeComesFromOutside =
      noClasses()
          .should()
          .callMethodWhere(
              target(
                  describe(
                      "a static clock",
                      target -> isStaticClock(target.getOwner(), target.getName()))));

  private static boolean isStaticClock(JavaClass owner, String method) {
    return switch (method) {
      case "now" ->
          owner.isEquivalentTo(Instant.class)
              || owner.isEquivalentTo(LocalDate.class)
              || owner.isEquivalentTo(LocalDateTime.class)
              || owner.isEquivalentTo(OffsetDateTime.class)
              || owner.isEquivalentTo(ZonedDateTime.class);
      case "systemUTC", "systemDefaultZone", "system" -> owner.isEquivalentTo(Clock.class);
      case "currentTimeMillis" -> owner.isEquivalentTo(System.class);
      default -> false;
    };
  }

  /** The classes of a package import java.* without java.sql, themselves and the packages named. */
  private static ArchRule knowsOnly(String... packages) {
    return classes()
        .that()
        .resideInAPackage(packages[0])
        .should()
        .onlyDependOnClassesThat(
            describe(
                "are java.* without java.sql, or in " + String.join(", ", packages),
                (JavaClass known) -> isKnown(known.getBaseComponentType(), List.of(packages))));
  }

  private static boolean isKnown(JavaClass known, List<String> packages) {
    String name = known.getPackageName();
    return known.isPrimitive()
        || packages.contains(name)
        || (name.startsWith("java.") && !name.startsWith("java.sql"));
  }
}
