package io.tidegate.connect.bench.report;

import io.tidegate.connect.cli.Interruption;
import io.tidegate.connect.cli.ToolException;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Writes the charts of a page as PNG files, for example for a README. */
final class Pictures {
    private static final int MAX_NAME = 60;

    private Pictures() {}

    /** Removes the pictures in {@code charts} of the result folder, and writes one for each chart, named after its title. */
    static void write(Path folder, List<Chart> charts) throws ToolException {
        Interruption.defer(() -> writeAll(folder.resolve("charts"), charts));
    }

    private static void writeAll(Path folder, List<Chart> charts) throws ToolException {
        try {
            Files.createDirectories(folder);
            try (DirectoryStream<Path> earlier = Files.newDirectoryStream(folder, "*.png")) {
                for (Path picture : earlier) {
                    Files.delete(picture);
                }
            }
            Set<String> taken = new HashSet<>();
            for (Chart chart : charts) {
                Files.write(folder.resolve(name(chart.title(), taken) + ".png"), chart.png());
            }
        } catch (IOException e) {
            throw new ToolException("cannot write to " + folder + ": " + e.getMessage(), e);
        }
    }

    /** Makes a file name of lower-case letters and dashes. A number follows if the name is already taken. */
    private static String name(String title, Set<String> taken) {
        String plain =
                title.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-").replaceAll("^-", "");
        String cut = plain.substring(0, Math.min(MAX_NAME, plain.length())).replaceAll("-$", "");
        String name = cut;
        for (int number = 2; !taken.add(name); number++) {
            name = cut + "-" + number;
        }
        return name;
    }
}
