package io.tidegate.connect.bench.cli;

import io.tidegate.connect.bench.command.BenchCommand;
import io.tidegate.connect.bench.compare.Baseline;
import io.tidegate.connect.bench.report.HtmlReport;
import io.tidegate.connect.bench.results.ResultFiles;
import io.tidegate.connect.bench.results.Results;
import io.tidegate.connect.cli.ToolException;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The options of {@code ./bench report}. */
@Command(
        name = "report",
        description = "Writes report.html, its pictures and results.csv of a folder again, from its results.json.")
final class ReportCommand extends BenchCommand {
    @Parameters(paramLabel = "DIR", description = "The result folder.")
    private Path folder = Path.of("");

    @Option(
            names = "--baseline",
            paramLabel = "DIR",
            description = "Instead writes what ./bench compare reads to a subfolder for this kind of machine, to be"
                    + " committed: benchmarks/baseline.")
    private Optional<Path> baseline = Optional.empty();

    ReportCommand(Path root) {
        super(root);
    }

    @Override
    public Integer call() throws ToolException {
        Results results = new ResultFiles(folder).read();
        if (baseline.isEmpty()) {
            HtmlReport.write(folder, results);
        } else {
            out().println("Baseline: " + new Baseline(baseline.get()).write(results));
            out().flush();
        }
        return ExitCode.OK;
    }
}
