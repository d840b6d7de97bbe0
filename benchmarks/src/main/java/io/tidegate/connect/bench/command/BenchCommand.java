package io.tidegate.connect.bench.command;

import io.tidegate.connect.bench.report.Journal;
import io.tidegate.connect.bench.results.Environment;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A subcommand of {@code ./bench}: its options, and a call that returns the exit status. Main thread only. */
@Command(mixinStandardHelpOptions = true, sortOptions = false)
public abstract class BenchCommand implements Callable<Integer> {
    /** The exit status if something failed or got worse. */
    public static final int FAILED = 1;

    private static final String RESULTS = "benchmarks/target/results";

    private final Path root;

    @Spec
    private CommandSpec spec;

    protected BenchCommand(Path root) {
        this.root = root;
    }

    /** The folder of the checkout. */
    protected final Path root() {
        return root;
    }

    protected final String name() {
        return spec.name();
    }

    /** The output for the user. */
    protected final PrintWriter out() {
        return spec.commandLine().getOut();
    }

    /** The command line that runs the same subcommand again. */
    public final String typed() {
        List<String> arguments = spec.commandLine().getParseResult().originalArgs();
        int named = arguments.indexOf(spec.name());
        return Stream.concat(
                        Stream.of(("./" + spec.qualifiedName(" ")).split(" ", -1)),
                        arguments.stream().skip(named + 1L))
                .map(argument -> argument.matches("[\\w./:=,+%@-]+") ? argument : "'" + argument + "'")
                .collect(Collectors.joining(" "));
    }

    /** The folder that the user named, or the default in {@code benchmarks/target/results}. */
    protected final Path folder(Optional<Path> named, String byDefault) {
        return named.orElseGet(() -> root.resolve(RESULTS).resolve(byDefault))
                .toAbsolutePath()
                .normalize();
    }

    /** The default name of the result folder for a YAML file. */
    protected static String nameFor(String prefix, Path file) {
        return prefix + "-" + String.valueOf(file.getFileName()).replaceFirst("\\.ya?ml$", "");
    }

    /** Makes an empty journal for a new measurement. */
    protected final Journal journal(Path folder) throws InterruptedException {
        String name = spec.qualifiedName(" ").replaceFirst("^bench ", "");
        return new Journal(name, typed(), folder, out(), Environment.of(root));
    }

    /** Rejects the options unless the condition holds. */
    protected final void require(boolean holds, String message) {
        if (!holds) {
            throw new ParameterException(spec.commandLine(), message);
        }
    }

    /** Rejects the options if they have a problem. */
    protected final void refuse(Optional<String> problem) {
        require(problem.isEmpty(), problem.orElse(""));
    }
}
