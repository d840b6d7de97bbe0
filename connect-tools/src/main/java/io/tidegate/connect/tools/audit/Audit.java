package io.tidegate.connect.tools.audit;

import io.tidegate.connect.jsonb.PostgresTargetType;
import io.tidegate.connect.tools.cluster.ClusterOptions;
import io.tidegate.connect.tools.cluster.Worker;
import io.tidegate.connect.tools.command.ToolException;
import io.tidegate.connect.tools.connector.ConfiguredSink;
import io.tidegate.connect.tools.connector.ConnectorFile;
import io.tidegate.connect.tools.records.StartPoint;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** Compares what a connector should have written with what its store has. */
@Command(
        name = "audit",
        mixinStandardHelpOptions = true,
        description = "Compares topics and store: names each record that is missing, doubled or different.",
        footer = {
            "",
            "It compares up to the position that the connector has committed and says how far behind that is, so the "
                    + "connector may go on writing. Nothing is left in the store.",
            "",
            "Exit status: 0 no differences, 1 differences, 2 it could not compare."
        })
public final class Audit implements Callable<Integer> {
    @Mixin
    private ClusterOptions cluster;

    @Parameters(
            index = "0",
            paramLabel = "CONNECTOR.json",
            description = "The connector's configuration, as it is posted to Connect.")
    private Path file;

    @Option(
            names = "--since",
            paramLabel = "TIME",
            description = "Compare only records from this time on: 2026-01-31, or 2026-01-31T08:00:00Z.",
            converter = Since.class)
    private Optional<StartPoint> since = Optional.empty();

    @Option(
            names = "--repair",
            description = "Write what is missing or different, and delete the surplus copies of doubled rows. Nothing "
                    + "newer is overwritten. Rows that no record explains stay.")
    private boolean repairs;

    @Option(names = "--all", description = "Print every difference, not only the first 20.")
    private boolean all;

    @Option(names = "--json", description = "Print each difference and the result as one JSON object in a line.")
    private boolean json;

    @Spec
    private CommandSpec spec;

    /** Only a time makes sense here: offsets differ from partition to partition. */
    static final class Since implements ITypeConverter<StartPoint> {
        @Override
        public StartPoint convert(String text) {
            try {
                StartPoint start = StartPoint.parse(text);
                if (start instanceof StartPoint.AtTime) {
                    return start;
                }
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(e.getMessage());
            }
            throw new TypeConversionException(
                    "'" + text + "' is not a time such as 2026-01-31 or 2026-01-31T08:00:00Z");
        }
    }

    @Override
    public Integer call() throws ToolException, InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        AuditOutput output = json ? new JsonOutput(out) : new TextOutput(out, all);
        Findings findings = new Findings(output::finding);
        ConnectorFile connector = ConnectorFile.read(file);
        try (Worker worker = cluster.open()) {
            ConfiguredSink sink = ConfiguredSink.of(connector, worker);
            sink.check();
            KafkaPositions positions = new KafkaPositions(worker.admin(sink.props()), sink.name(), sink.props());
            try (TopicDocuments documents = TopicDocuments.open(worker, sink);
                    StoreAudit store = store(sink, findings)) {
                AuditRun run = new AuditRun(sink, documents, positions, store, findings);
                Scope scope = run.scope(since);
                output.begin(sink.name(), documents.description(), scope);
                try {
                    run.compare(scope);
                } catch (InterruptedException e) {
                    findings.note("the audit was stopped before its end");
                    output.end(scope, findings, documents.dropped());
                    throw e;
                }
                output.end(scope, findings, documents.dropped());
            }
        }
        return findings.total() == 0 ? 0 : 1;
    }

    private StoreAudit store(ConfiguredSink sink, Findings findings) throws ToolException {
        if (sink.type() instanceof PostgresTargetType) {
            return PostgresAudit.open(sink.settings(), findings, repairs);
        }
        return ElasticsearchAudit.open(sink.settings(), findings, repairs);
    }
}
