package io.tidegate.project;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static io.tidegate.project.ProjectFilesTest.PROJECT;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Checks the dependencies between packages that the {@code package-info.java} files describe, in the classes that all other
 * modules have compiled.
 */
final class ArchitectureTest {
    private static final String ALL = "io.tidegate.connect.";
    private static final String CORE = ALL + "common";
    private static final String ELASTICSEARCH = ALL + "elasticsearch";

    private static JavaClasses classes;

    /** Not those of benchmarks/micro, each of which is in the package of the code that it measures. */
    @BeforeAll
    static void read() throws IOException {
        Set<Path> compiled = sources()
                .filter(file -> !file.startsWith("benchmarks/micro"))
                .map(file -> PROJECT.resolve(file.toString().replaceFirst("src/main/java/.*", "target/classes")))
                .collect(toSet());

        assertThat(compiled).hasSizeGreaterThan(10).as("run mvn package before").allSatisfy(folder -> assertThat(folder)
                .isNotEmptyDirectory());
        classes = new ClassFileImporter().importPaths(compiled);
    }

    @Test
    void packagesFormNoCycle() {
        Set<String> roots = classes.stream()
                .map(JavaClass::getPackageName)
                .filter(name -> name.startsWith(ALL))
                .map(name -> ALL + name.substring(ALL.length()).replaceFirst("\\..*", ""))
                .collect(toSet());

        assertThat(roots).hasSizeGreaterThan(8);
        roots.forEach(root -> slices().assignedFrom(new Packages(root))
                .should()
                .beFreeOfCycles()
                .check(classes));
    }

    /** Each package below a root is a slice. The root package is a slice, too. */
    private static final class Packages implements SliceAssignment {
        private final String root;

        Packages(String root) {
            this.root = root;
        }

        @Override
        public SliceIdentifier getIdentifierOf(JavaClass javaClass) {
            String name = javaClass.getPackageName();
            return name.equals(root) || name.startsWith(root + ".")
                    ? SliceIdentifier.of(name)
                    : SliceIdentifier.ignore();
        }

        @Override
        public String getDescription() {
            return "packages of " + root;
        }
    }

    /** Classes of the packages in the first column must not use the packages in the second column. */
    @ParameterizedTest
    @CsvSource({
        // modules
        "io.tidegate.connect.common.., io.tidegate.connect.jsonb.. io.tidegate.connect.elasticsearch..",
        "io.tidegate.connect.common.., io.tidegate.connect.avro.. org.apache.avro..",
        "io.tidegate.connect.common.., io.tidegate.connect.aws.. software.amazon.awssdk..",
        "io.tidegate.connect.avro.., io.tidegate.connect.jsonb.. io.tidegate.connect.elasticsearch..",
        "io.tidegate.connect.jsonb.., io.tidegate.connect.elasticsearch..",
        "io.tidegate.connect.elasticsearch.., io.tidegate.connect.jsonb..",
        "io.tidegate.connect.testkit.., io.tidegate.connect.common.. io.tidegate.connect.jsonb..",
        // the oracle shares no code with what it checks
        "..check.oracle.., io.tidegate.connect.common.. io.tidegate.connect.jsonb.. io.tidegate.connect.elasticsearch..",
        "..check.oracle.., ..check.draw.. ..check.event.. ..check.plan.. ..check.run.. ..connect.testkit..",
        // the core
        "..common.spi.., ..common.delivery.. ..common.lane.. ..common.task..",
        "..common.delivery.., ..common.lane.. ..common.task..",
        "..common.lane.., ..common.recovery.. ..common.task..",
        "..common.recovery.., ..common.task..",
        "..common.value.., io.tidegate.connect.common.document.. ..common.envelope.. ..common.settings.. ..common.spi..",
        "..common.document.., ..common.settings.. ..common.spi.. ..common.delivery.. ..common.lane.. ..common.task..",
        "..common.document.., ..common.envelope.. ..common.frame.. ..common.format..",
        "..common.credentials.., ..common.spi.. ..common.delivery.. ..common.lane.. ..common.task..",
        "..common.format.., ..common.frame.. ..common.spi.. ..common.task..",
        "..common.envelope.., ..common.spi.. ..common.delivery.. ..common.lane.. ..common.task..",
        // settings know no server
        "..common.settings.., java.sql.. ..common.document.. ..common.spi.. ..common.delivery.. ..common.lane.. ..common.task..",
        "..jsonb.settings.., java.sql.. javax.sql.. ..jsonb.sql.. ..jsonb.write.. ..jsonb.client.. ..jsonb.check..",
        "..elasticsearch.settings.., java.sql.. ..elasticsearch.write.. ..elasticsearch.client.. ..elasticsearch.check..",
        "..elasticsearch.settings.., ..elasticsearch.bulk.. org.apache.http.. org.elasticsearch..",
        // the JSONB sink
        "..jsonb.row.., ..jsonb.settings.. ..jsonb.sql.. ..jsonb.client.. ..jsonb.write.. ..jsonb.check..",
        "..jsonb.client.., ..jsonb.sql.. ..jsonb.write.. ..jsonb.check.. ..jsonb.trial..",
        "..jsonb.sql.., ..jsonb.write.. ..jsonb.check.. ..jsonb.trial..",
        "..jsonb.check.., ..jsonb.write.. ..jsonb.trial..",
        "..jsonb.write.., ..jsonb.check.. ..jsonb.trial..",
        // the Elasticsearch sink
        "..elasticsearch.client.., ..elasticsearch.bulk.. ..elasticsearch.write.. ..elasticsearch.check..",
        "..elasticsearch.bulk.., ..elasticsearch.write.. ..elasticsearch.check..",
        "..elasticsearch.check.., ..elasticsearch.write.. ..elasticsearch.bulk..",
        "..elasticsearch.write.., ..elasticsearch.check.. org.apache.http..",
        "..elasticsearch.bulk.., org.apache.http..",
    })
    void keepsOut(String from, String forbidden) {
        noClasses()
                .that()
                .resideInAPackage(from)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(forbidden.split(" "))
                .check(classes);
    }

    @ParameterizedTest
    @ValueSource(strings = {"offset", "time", "metrics", "pool", "settings"})
    void theLowestPackagesOfTheCoreImportNoOthers(String name) {
        String own = CORE + "." + name + "..";
        noClasses()
                .that()
                .resideInAPackage(own)
                .should()
                .dependOnClassesThat(JavaClass.Predicates.resideInAPackage(CORE + "..")
                        .and(JavaClass.Predicates.resideOutsideOfPackage(own)))
                .check(classes);
    }

    @Test
    void onlyTheClientSpeaksHttp() {
        classes()
                .that()
                .resideInAPackage(ELASTICSEARCH + "..")
                .and()
                .resideOutsideOfPackages(ELASTICSEARCH + ".client..")
                .should()
                .onlyDependOnClassesThat(
                        JavaClass.Predicates.resideOutsideOfPackages("org.apache.http..", "org.elasticsearch.."))
                .check(classes);
    }

    /** A default method that a decorator forgets would bypass what it wraps. */
    @Test
    void noInterfaceThatIsDecoratedHasADefaultMethod() {
        Set<JavaClass> decorated = classes.stream()
                .flatMap(each -> each.getRawInterfaces().stream().filter(type -> each.getFields().stream()
                        .anyMatch(field -> field.getRawType().equals(type))))
                .filter(type -> type.getPackageName().startsWith(ALL))
                .collect(toSet());

        assertThat(decorated).isNotEmpty().allSatisfy(type -> assertThat(type.getMethods())
                .as(type.getName())
                .filteredOn(method -> !method.getModifiers().contains(JavaModifier.ABSTRACT)
                        && !method.getModifiers().contains(JavaModifier.STATIC))
                .isEmpty());
    }

    @Test
    void everyPackageOfMainCodeSaysWhatItIs() throws IOException {
        Set<String> described = sources()
                .filter(file -> file.endsWith("package-info.java"))
                .map(ArchitectureTest::packageOf)
                .collect(toSet());

        assertThat(sources().map(ArchitectureTest::packageOf).distinct())
                .allSatisfy(each -> assertThat(described).contains(each));
    }

    /** This project's packages. Replacements of Elasticsearch's classes must be in Elasticsearch's. */
    private static Stream<Path> sources() throws IOException {
        try (Stream<Path> files = Files.walk(PROJECT)) {
            List<Path> found = files.filter(file -> file.toString().endsWith(".java"))
                    .map(PROJECT::relativize)
                    .filter(file -> file.toString().contains("src/main/java/io/tidegate/"))
                    .filter(file -> !file.toString().contains("target/"))
                    .toList();
            assertThat(found).hasSizeGreaterThan(100);
            return found.stream();
        }
    }

    private static String packageOf(Path file) {
        String folder = file.getParent().toString().replace('\\', '/');
        return folder.substring(folder.indexOf("src/main/java/") + "src/main/java/".length())
                .replace('/', '.');
    }
}
