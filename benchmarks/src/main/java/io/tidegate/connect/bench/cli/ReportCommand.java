package io.tidegate.connect.bench.cli;

import io.tidegate.connect.bench.report.HtmlReport;
import io.tidegate.connect.bench.results.ResultFiles;
import io.tidegate.connect.tools.ToolException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** The options of {@code ./bench report}. */
@Command(
        name = "report",
        mixinStandardHelpOptions = true,
        description =
                "Writes report.html, the pictures of its charts and results.csv of a result folder anew from its results.json.")
public final class ReportCommand implements Callable<Integer> {
    @Parameters(paramLabel = "DIR", description = "The result folder.")
    private Path folder = Path.of("");

    @Override
    public Integer call() throws ToolException {
        HtmlReport.write(folder, new ResultFiles(folder).read());
        return CommandLine.ExitCode.OK;
    }
}
