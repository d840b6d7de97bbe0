package io.tidegate.connect.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LibrariesTest {
    @TempDir
    Path folder;

    @Test
    void takesFoldersFromTheOptionsOrElseFromTheVariable() {
        String[] args = {"--lib", "a", "audit", "x.json", "--lib=b"};
        assertThat(Libraries.folders(args, "c")).containsExactly(Path.of("a"), Path.of("b"));
        assertThat(Libraries.folders(new String[] {"audit"}, "c" + File.pathSeparator + "d"))
                .containsExactly(Path.of("c"), Path.of("d"));
        assertThat(Libraries.folders(new String[] {"audit", "--lib"}, "")).isEmpty();
    }

    @Test
    void runsTheProgramWithTheJarsOfAFolder() throws Exception {
        try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(folder.resolve("own.jar")))) {
            jar.putNextEntry(new JarEntry("own.properties"));
        }
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        try {
            String[] args = {"try", "--lib", folder.toString(), "absent.json", "--bootstrap-servers", "localhost:1"};
            assertThat(Libraries.run(List.of(folder), args)).isEqualTo(2);
            assertThat(Thread.currentThread().getContextClassLoader().getResource("own.properties"))
                    .isNull(); // closed at the end
        } finally {
            Thread.currentThread().setContextClassLoader(before);
        }
    }

    @Test
    void saysWhichFolderHasNothing() {
        assertThatThrownBy(() -> Libraries.run(List.of(folder), new String[0]))
                .hasMessage("--lib: the folder " + folder + " has no jars");
        assertThatThrownBy(() -> Libraries.run(List.of(folder.resolve("absent")), new String[0]))
                .hasMessageStartingWith("--lib: cannot read the folder " + folder.resolve("absent"));
    }
}
