package io.tidegate.connect.check.mutation;

import io.tidegate.connect.cli.ToolException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A patch that puts a defect back. It begins with the lines {@code # id: ID}, {@code # defect: TEXT} and {@code # sink: NAME},
 * perhaps also {@code # guard: TEST}.
 *
 * @param sink whose cases are drawn
 * @param guard the test that finds it; empty for schedules and cases, which cannot find those with such a test
 */
public record Mutation(Path patch, String id, String defect, String sink, String guard) {
    /** All patches of a folder, sorted by name. */
    public static List<Mutation> in(Path folder) throws ToolException {
        List<Path> files;
        try (Stream<Path> all = Files.list(folder)) {
            files = all.filter(file -> file.toString().endsWith(".patch"))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new ToolException("cannot list " + folder + ": " + e.getMessage(), e);
        }
        List<Mutation> mutations = new ArrayList<>();
        for (Path file : files) {
            mutations.add(read(file));
        }
        return mutations;
    }

    /** Whether cases could find it. They run the tools of this checkout, not of the mutated one. */
    boolean hasCases() {
        return !sink.equals("tools");
    }

    static Mutation read(Path file) throws ToolException {
        try {
            List<String> lines = Files.readAllLines(file);
            return new Mutation(
                    file.toAbsolutePath(),
                    required(file, lines, "id"),
                    required(file, lines, "defect"),
                    required(file, lines, "sink"),
                    header(lines, "guard").orElse(""));
        } catch (IOException e) {
            throw new ToolException("cannot read " + file + ": " + e.getMessage(), e);
        }
    }

    private static String required(Path file, List<String> lines, String name) throws ToolException {
        return header(lines, name).orElseThrow(() -> new ToolException(file + " has no line '# " + name + ":'"));
    }

    private static Optional<String> header(List<String> lines, String name) {
        String start = "# " + name + ":";
        return lines.stream().filter(line -> line.startsWith(start)).findFirst().map(line -> line.substring(
                        start.length())
                .trim());
    }
}
