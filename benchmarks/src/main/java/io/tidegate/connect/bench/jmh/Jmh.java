package io.tidegate.connect.bench.jmh;

import io.tidegate.connect.tools.TempFolders;
import io.tidegate.connect.tools.ToolException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The micro benchmarks' module, whose main class is JMH's. Every call is a process, because JMH tells what it has found
 * only at its end.
 */
public final class Jmh {
    private static final String MAIN = "org.openjdk.jmh.Main";
    private static final int LAST_LINES = 8;

    private final String classPath;
    private final Path log;

    /**
     * Looks for the module.
     *
     * @param root of the checkout
     * @param log what JMH says is added to this file
     */
    public Jmh(Path root, Path log) throws ToolException {
        Path target = root.resolve("benchmarks/micro/target");
        try {
            classPath = target.resolve("classes") + ":"
                    + Files.readString(target.resolve("launcher.classpath")).strip();
        } catch (IOException e) {
            throw new ToolException(
                    "the micro benchmarks are not built: mvn package -DskipTests -pl benchmarks/micro -am", e);
        }
        this.log = log;
    }

    /** The full names of the benchmarks that the arguments select. */
    public List<String> benchmarks(List<String> arguments) throws ToolException, InterruptedException {
        List<String> all = new ArrayList<>(arguments);
        all.add("-l");
        Path folder = TempFolders.create("tidegate-jmh-");
        Path listed = folder.resolve("benchmarks.txt");
        try {
            call(all, listed);
            return Files.readAllLines(listed).stream()
                    .map(String::strip)
                    .filter(line -> line.matches("[\\w.]+\\.\\w+"))
                    .toList();
        } catch (IOException e) {
            throw new ToolException("cannot read what JMH says: " + e.getMessage(), e);
        } finally {
            TempFolders.delete(folder);
        }
    }

    /** Runs one benchmark with all its parameters; returns JMH's JSON. */
    public String run(String benchmark, List<String> options) throws ToolException, InterruptedException {
        Path folder = TempFolders.create("tidegate-jmh-");
        Path result = folder.resolve("result.json");
        List<String> arguments = new ArrayList<>(List.of("^" + benchmark.replace(".", "\\.") + "$"));
        arguments.addAll(List.of("-foe", "true", "-prof", "gc", "-rf", "json", "-rff", result.toString()));
        arguments.addAll(options);
        try {
            call(arguments, log);
            return Files.readString(result);
        } catch (IOException e) {
            throw new ToolException("cannot read JMH's result: " + e.getMessage(), e);
        } finally {
            TempFolders.delete(folder);
        }
    }

    private void call(List<String> arguments, Path said) throws ToolException, InterruptedException {
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp", classPath, MAIN));
        command.addAll(arguments);
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(said.toFile()))
                    .start();
            try {
                if (process.waitFor() != 0) {
                    throw new ToolException(
                            "JMH failed; all that it said is in " + said + ", which ends so:\n" + lastLines(said));
                }
            } finally {
                stop(process);
            }
        } catch (IOException e) {
            throw new ToolException("JMH does not start: " + e.getMessage(), e);
        }
    }

    /** JMH's forks would go on without it. */
    private static void stop(Process process) {
        List<ProcessHandle> forks = process.descendants().toList();
        process.destroy();
        forks.forEach(ProcessHandle::destroy);
    }

    private static String lastLines(Path file) throws IOException {
        try (Stream<String> lines = Files.lines(file)) {
            List<String> all = lines.filter(line -> !line.isBlank()).toList();
            return String.join("\n", all.subList(Math.max(0, all.size() - LAST_LINES), all.size()));
        }
    }
}
