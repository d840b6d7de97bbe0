package io.tidegate.connect.bench.scenario;

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
public final class ScenarioCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    private ScenarioCommand() {}

    /**
     * The command with its scenarios.
     *
     * @param root the folder of the checkout
     */
    public static CommandLine commandLine(Path root) {
        return new CommandLine(new ScenarioCommand())
                .addSubcommand(new BackfillScenario(root))
                .addSubcommand(new FaultsScenario(root));
    }

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(),
                "name a scenario: " + String.join(", ", spec.subcommands().keySet()));
    }
}
