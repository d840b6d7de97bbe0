package io.tidegate.connect.check.mutation;

import io.tidegate.connect.cli.ToolException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A copy of the checkout, with one defect at a time. The copy is a clone, so that changes that are not committed are not in
 * it. Used by one thread.
 *
 * @param folder of the copy, which is kept from run to run so that later builds are short
 */
record MutatedCheckout(Path home, Path folder) {
    private static final int MINUTES = 10;

    /** Builds the plugins with this defect and returns the folder of the copy. */
    Path build(Mutation mutation) throws ToolException, InterruptedException {
        if (!Files.isDirectory(folder.resolve(".git"))) {
            run(home, List.of("git", "clone", "-q", "--shared", home.toString(), folder.toString()));
        }
        run(folder, List.of("git", "fetch", "-q", "origin"));
        run(folder, List.of("git", "reset", "-q", "--hard", head()));
        run(folder, List.of("git", "apply", mutation.patch().toString()));
        List<String> maven = new ArrayList<>(List.of("mvn", "-o", "-q", "package", "-DskipTests"));
        maven.addAll(Stream.of("spotless.check.skip", "mdep.analyze.skip", "maven.javadoc.skip")
                .map(option -> "-D" + option)
                .toList());
        maven.addAll(List.of("-pl", "connect-jsonb-sink,connect-es-bulk-sink", "-am"));
        run(folder, maven);
        return folder;
    }

    private String head() throws ToolException, InterruptedException {
        return run(home, List.of("git", "rev-parse", "HEAD")).trim();
    }

    private static String run(Path where, List<String> command) throws ToolException, InterruptedException {
        try {
            Path log = Files.createTempFile("check-", ".log");
            Process process = new ProcessBuilder(command)
                    .directory(where.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
            try {
                boolean ended = process.waitFor(MINUTES, TimeUnit.MINUTES);
                String output = Files.readString(log);
                if (!ended || process.exitValue() != 0) {
                    throw new ToolException(String.join(" ", command) + " failed in " + where + ":\n" + output);
                }
                return output;
            } finally {
                process.destroy();
                Files.deleteIfExists(log);
            }
        } catch (IOException e) {
            throw new ToolException("cannot run " + command.get(0) + ": " + e.getMessage(), e);
        }
    }
}
