package io.tidegate.project;

import static io.tidegate.project.ProjectFilesTest.PROJECT;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The guide to another sink lists every file that names each sink, by its module or its package. */
final class AnotherSinkTest {
    private static final Path GUIDE = PROJECT.resolve("docs/how-to/write-a-sink.md");
    private static final Pattern ROW = Pattern.compile("(?m)^\\| `([^`]+)` \\|");

    /** Built, or for readers. */
    private static final Set<String> OTHER_FOLDERS =
            Set.of("target", ".git", "docs", "data", "results", "node_modules");

    private static final long LARGEST_BYTES = 1 << 20;

    @Test
    void theGuideListsTheFilesThatNameEverySink() throws IOException {
        String guide = Files.readString(GUIDE);
        Set<String> listed = ROW.matcher(guide.substring(guide.indexOf("Where each sink is named\n")))
                .results()
                .map(row -> row.group(1))
                .collect(Collectors.toCollection(TreeSet::new));

        assertThat(listed).isEqualTo(filesThatNameEverySink());
    }

    private static Set<String> filesThatNameEverySink() throws IOException {
        List<List<String>> names = new ArrayList<>();
        for (String sink : ProjectFilesTest.sinks()) {
            names.add(List.of(sink, packageOf(sink)));
        }
        Set<String> found = new TreeSet<>();
        Files.walkFileTree(PROJECT, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                return OTHER_FOLDERS.contains(folder.getFileName().toString()) && !folder.equals(PROJECT)
                        ? FileVisitResult.SKIP_SUBTREE
                        : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                String name = PROJECT.relativize(file).toString();
                if (!name.endsWith(".md")
                        && !name.endsWith("IT.java")
                        && attributes.isRegularFile()
                        && attributes.size() < LARGEST_BYTES) {
                    String text = Files.readString(file, StandardCharsets.ISO_8859_1);
                    if (names.stream().allMatch(sink -> sink.stream().anyMatch(text::contains))) {
                        found.add(name);
                    }
                }
                return FileVisitResult.CONTINUE;
            }
        });
        return found;
    }

    private static String packageOf(String sink) throws IOException {
        String service = "src/main/resources/META-INF/services/org.apache.kafka.connect.sink.SinkConnector";
        return Files.readString(PROJECT.resolve(sink).resolve(service)).strip().replaceFirst("\\.\\w+$", "");
    }
}
