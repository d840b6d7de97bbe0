package io.tidegate.connect.bench.cli;

import io.tidegate.connect.bench.command.BenchCommand;
import io.tidegate.connect.bench.report.HtmlReport;
import io.tidegate.connect.bench.results.ResultFiles;
import io.tidegate.connect.tools.command.ToolException;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Parameters;

/** The options of {@code ./bench report}. */
@Command(
        name = "report",
        description = "Writes report.html, its pictures and results.csv of a folder again, from its results.json.")
final class ReportCommand extends BenchCommand {
    @Parameters(paramLabel = "DIR", description = "The result folder.")
    private Path folder = Path.of("");

    ReportCommand(Path root) {
        super(root);
    }

    @Override
    public Integer call() throws ToolException {
        HtmlReport.write(folder, new ResultFiles(folder).read());
        return ExitCode.OK;
    }
}
