package io.tidegate.connect.bench.cli;

import io.tidegate.connect.bench.scenario.Scenario;
import java.nio.file.Path;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code ./bench scenario}: a subcommand for each scenario. */
@Command(
        name = "scenario",
        mixinStandardHelpOptions = true,
        description = "Measures Tidegate's sinks in a situation that operators ask about, verifies the stored records,"
                + " and prints the findings.")
final class ScenarioCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    static CommandLine commandLine(Path root) {
        CommandLine line = new CommandLine(new ScenarioCommand());
        Scenario.all(root).forEach(line::addSubcommand);
        return line;
    }

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(),
                "name a scenario: " + String.join(", ", spec.subcommands().keySet()));
    }
}
