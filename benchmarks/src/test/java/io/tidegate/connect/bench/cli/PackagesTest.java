package io.tidegate.connect.bench.cli;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** As the architecture test of the stacks asks it of the plugins and the testkit. */
final class PackagesTest {
    @ParameterizedTest
    @ValueSource(strings = {"io.tidegate.connect.bench", "io.tidegate.connect.harness", "io.tidegate.connect.tools"})
    void packagesFormNoCycle(String root) {
        slices().matching(root + ".(**)")
                .should()
                .beFreeOfCycles()
                .check(new ClassFileImporter()
                        .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                        .importPackages(root));
    }

    /** Modules that use it have no other dependency of the tools. */
    @Test
    void whatAllCommandLinesShareNeedsOnlyPicocli() {
        classes()
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage("java..", "picocli..", "io.tidegate.connect.tools.command")
                .check(new ClassFileImporter()
                        .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                        .importPackages("io.tidegate.connect.tools.command"));
    }
}
