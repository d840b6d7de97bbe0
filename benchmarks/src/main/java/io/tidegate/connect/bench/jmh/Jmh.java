package io.tidegate.connect.bench.jmh;

import io.tidegate.connect.cli.ToolException;
import io.tidegate.connect.testkit.process.Folders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Runs the micro benchmarks with JMH. Every call is a process, because JMH reports its results only when it ends. */
public final class Jmh {
    private static final String MAIN = "org.openjdk.jmh.Main";
    private static final int LAST_LINES = 8;

    private final String classPath;
    private final Path log;

    /**
     * Finds the module of the micro benchmarks.
     *
     * @param root the folder of the checkout
     * @param log the file to which JMH's output is appended
     */
    public Jmh(Path root, Path log) throws ToolException {
        Path target = root.resolve("benchmarks/micro/target");
        try {
            classPath = target.resolve("classes") + ":"
                    + Files.readString(target.resolve("launcher.classpath")).strip();
        } catch (IOException e) {
            throw new ToolException(
                    "the micro benchmarks are not built; run: mvn package -DskipTests -pl benchmarks/micro -am", e);
        }
        this.log = log;
    }

    /** The full names of the benchmarks that the arguments select. */
    public List<String> benchmarks(List<String> arguments) throws ToolException, InterruptedException {
        List<String> all = new ArrayList<>(arguments);
        all.add("-l");
        Path folder = Folders.temporary("jmh");
        Path listed = folder.resolve("benchmarks.txt");
        try {
            call(all, listed);
            return Files.readAllLines(listed).stream()
                    .map(String::strip)
                    .filter(line -> line.matches("[\\w.]+\\.\\w+"))
                    .toList();
        } catch (IOException e) {
            throw new ToolException("cannot read JMH's output: " + e.getMessage(), e);
        } finally {
            Folders.delete(folder);
        }
    }

    /** Runs one benchmark with all its parameters; returns JMH's JSON. */
    public String run(String benchmark, List<String> options) throws ToolException, InterruptedException {
        Path folder = Folders.temporary("jmh");
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
            Folders.delete(folder);
        }
    }

    private void call(List<String> arguments, Path output) throws ToolException, InterruptedException {
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp", classPath, MAIN));
        command.addAll(arguments);
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(output.toFile()))
                    .start();
            try {
                if (process.waitFor() != 0) {
                    throw new ToolException(
                            "JMH failed; its output is in " + output + ", and ends with:\n" + lastLines(output));
                }
            } finally {
                stop(process);
            }
        } catch (IOException e) {
            throw new ToolException("cannot start JMH: " + e.getMessage(), e);
        }
    }

    /** Stops JMH and its forks, which would continue without it. */
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
