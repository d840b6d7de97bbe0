package io.tidegate.connect.testkit.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class JavaHomeTest {
    @TempDir
    private Path folder;

    private Path jdk(String name, String version) throws IOException {
        Path home = Files.createDirectories(folder.resolve(name));
        Files.writeString(home.resolve("release"), "IMPLEMENTOR=\"A\"\nJAVA_VERSION=\"" + version + "\"\n");
        Path compiler = Files.createDirectory(home.resolve("bin")).resolve("javac");
        assertThat(Files.createFile(compiler).toFile().setExecutable(true)).isTrue();
        return home;
    }

    @Test
    void takesTheOldestThatIsNewEnough() throws IOException {
        List<Path> candidates =
                List.of(jdk("8", "1.8.0_402"), jdk("25", "25.0.3"), jdk("21", "21"), folder.resolve("gone"));

        assertThat(JavaHome.oldest(candidates, 21)).contains(new JavaHome(folder.resolve("21"), 21));
        assertThat(JavaHome.oldest(candidates, 22)).contains(new JavaHome(folder.resolve("25"), 25));
        assertThat(JavaHome.oldest(candidates, 8)).contains(new JavaHome(folder.resolve("8"), 8));
        assertThat(JavaHome.oldest(candidates, 26)).isEmpty();
    }

    @Test
    void ignoresARuntimeWithoutACompiler() throws IOException {
        Path home = jdk("jre", "21.0.1");
        Files.delete(home.resolve("bin/javac"));

        assertThat(JavaHome.oldest(List.of(home), 17)).isEmpty();
    }

    @Test
    void searchesVariablesThatNameJdks() {
        assertThat(JavaHome.candidates(Map.of(
                        "JAVA21_HOME",
                        "/a",
                        "JAVA_HOME_25_X64",
                        "/b",
                        "JDK_HOME",
                        "/c",
                        "JAVA_OPTS",
                        "/no",
                        "HOME",
                        "/no")))
                .startsWith(Path.of("/a"), Path.of("/b"), Path.of("/c"))
                .doesNotContain(Path.of("/no"));
    }

    @Test
    void namesTheSearchedPlaces() {
        assertThat(JavaHome.notFound(21))
                .contains("no JDK 21 or newer", "-Dtestkit.java.home", "JAVA21_HOME", "/usr/lib/jvm");
    }
}
