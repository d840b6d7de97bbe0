package io.tidegate.connect.lab.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Maven itself fetches; the artifact is one that the build has fetched before. */
final class MavenPluginIT {
    private static final int AT_ONCE = 2;

    /** As two commands that were started at the same moment. */
    @Test
    void oneFolderStaysOfSeveralThatAreFetchedAtOnce(@TempDir Path plugins) throws Exception {
        MavenPlugin maven = new MavenPlugin(plugins);
        List<String> coordinates = List.of(
                "org.junit.jupiter:junit-jupiter-api:" + Test.class.getPackage().getImplementationVersion());
        ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE);
        try {
            List<Future<Path>> folders = new ArrayList<>();
            for (int i = 0; i < AT_ONCE; i++) {
                folders.add(threads.submit(() -> maven.fetch("junit", coordinates)));
            }
            for (Future<Path> folder : folders) {
                assertThat(folder.get()).isEqualTo(plugins.resolve("junit"));
            }
        } finally {
            threads.shutdownNow();
        }

        assertThat(plugins).isDirectoryContaining("glob:**/junit");
        try (Stream<Path> all = Files.list(plugins)) {
            assertThat(all).hasSize(1);
        }
        assertThat(plugins.resolve("junit/junit")).isDirectoryContaining("glob:**/junit-jupiter-api-*.jar");
    }
}
