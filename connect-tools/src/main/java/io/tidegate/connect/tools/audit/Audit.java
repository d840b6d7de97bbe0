package io.tidegate.connect.tools.audit;

import io.tidegate.connect.cli.ToolException;
import io.tidegate.connect.common.settings.RedriveSettings;
import io.tidegate.connect.common.spi.TargetType;
import io.tidegate.connect.elasticsearch.ElasticsearchTargetType;
import io.tidegate.connect.jsonb.PostgresTargetType;
import io.tidegate.connect.tools.cluster.ClusterOptions;
import io.tidegate.connect.tools.cluster.Worker;
import io.tidegate.connect.tools.connector.ConfiguredSink;
import io.tidegate.connect.tools.connector.ConnectorFile;
import io.tidegate.connect.tools.connector.ConnectorOptions;
import io.tidegate.connect.tools.output.Terminal;
import io.tidegate.connect.tools.records.StartPoint;
import io.tidegate.connect.tools.redrive.RedrivenLetters;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.config.AbstractConfig;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
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
        },
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {
            "0:everything was compared, and nothing differs",
            "1:there are differences",
            "2:wrong option, or an error that the message explains",
            "3:no differences, but not everything was compared: the result has the numbers and the reasons"
        })
public final class Audit implements Callable<Integer> {
    /** How the store of each sink is compared. */
    private static final Map<Class<? extends TargetType>, StoreOpener> STORES = Map.of(
            PostgresTargetType.class, PostgresAudit::open, ElasticsearchTargetType.class, ElasticsearchAudit::open);

    private interface StoreOpener {
        StoreAudit open(Map<String, String> settings, Findings findings) throws ToolException;
    }

    @Mixin
    private ClusterOptions cluster;

    @Parameters(
            index = "0",
            paramLabel = "CONNECTOR",
            description = "The file that is posted to Connect, or with --connect the connector's name.")
    private Path connector;

    @Mixin
    private ConnectorOptions settings;

    @Option(
            names = "--since",
            paramLabel = "TIME",
            description = "Compare only records from this time on: 2026-01-31, or 2026-01-31T08:00:00Z.",
            converter = Time.class)
    private Optional<StartPoint> since = Optional.empty();

    @Option(
            names = "--until",
            paramLabel = "TIME",
            description = "Compare only records before this time.",
            converter = Time.class)
    private Optional<StartPoint> until = Optional.empty();

    @Option(names = "--topic", paramLabel = "NAME", split = ",", description = "Compare only these topics.")
    private List<String> topics = List.of();

    @Option(names = "--partition", paramLabel = "N", split = ",", description = "Compare only these partitions.")
    private List<Integer> partitions = List.of();

    @Option(
            names = "--key",
            paramLabel = "KEY",
            description = "Compare only the row or document with this key or id; or the records with this key, unless"
                    + " rows or ids are of fields.")
    private Optional<String> key = Optional.empty();

    @Option(
            names = "--rate",
            paramLabel = "N",
            description = "Read no more than so many records a second. Default: as fast as possible.")
    private long rate;

    @Option(
            names = "--resume",
            paramLabel = "FILE",
            description = "Store in this file how far the audit is, and go on from there if the file exists: after an"
                    + " audit that was stopped, or for the records that came since the last one. Rows and documents"
                    + " must be of one record each.")
    private Optional<Path> resume = Optional.empty();

    @Option(
            names = "--parking",
            paramLabel = "TOPIC",
            description = "A topic to which dead letters of this connector were moved (redrive --parking). Its records"
                    + " are not expected to be stored. Default: the dead letter topic's name and -parked.")
    private Optional<String> parking = Optional.empty();

    @Option(
            names = "--fail-on",
            paramLabel = "unknown",
            description = "End with status 1 also if not everything was compared, newer records included.")
    private Optional<FailOn> failOn = Optional.empty();

    @Option(
            names = "--repair",
            description = "Plan what records prove: write what is missing, write over what an older record of the same"
                    + " partition wrote, delete equal copies. Then ask, and write with the sink's own task.")
    private boolean repairs;

    @Option(names = "--yes", description = "With --repair: carry out the plan without a question.")
    private boolean yes;

    @Option(
            names = "--max",
            paramLabel = "N",
            defaultValue = "1000",
            description = "With --repair: change nothing if the plan has more than so many changes (default: 1000).")
    private int max;

    @Option(names = "--all", description = "Print every difference, not only the first 20.")
    private boolean all;

    @Option(names = "--json", description = "Print each difference and the result as one JSON object in a line.")
    private boolean json;

    @Spec
    private CommandSpec spec;

    /** What else makes an audit fail. */
    enum FailOn {
        unknown
    }

    /** Only a time makes sense here: offsets differ from partition to partition. */
    static final class Time implements ITypeConverter<StartPoint> {
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
        if (resume.isPresent() && (repairs || key.isPresent() || since.isPresent())) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--resume compares every record once: use it without --repair, --key and --since");
        }
        PrintWriter out = spec.commandLine().getOut();
        AuditOutput output = json ? new JsonOutput(out) : new TextOutput(out, all);
        RepairPlan plan = new RepairPlan(max);
        Findings findings = new Findings(finding -> {
            output.finding(finding);
            plan.add(finding);
        });
        ConnectorFile configured = settings.read(connector);
        try (Worker worker = cluster.open()) {
            ConfiguredSink sink = ConfiguredSink.of(configured, worker);
            sink.check();
            requireRecords(sink);
            requireStart(worker.consumer(sink.props()), findings);
            KafkaPositions positions = new KafkaPositions(worker.admin(sink.props()), sink.name(), sink.props());
            try (TopicDocuments documents = TopicDocuments.open(worker, sink, findings, new Pace(rate));
                    StoreAudit store = store(sink, findings)) {
                if (repairs) {
                    store.lock(sink.name());
                }
                Filter filter = new Filter(since, until, topics, partitions, key);
                AuditRun run = new AuditRun(
                        sink, documents, positions, store, findings, filter, compared(sink, documents, positions));
                Scope scope = run.scope();
                // After the positions: each refused record below them has its letter then.
                for (DeadLetterTopic letters : letterTopics(sink, worker)) {
                    documents.findLetters(letters);
                }
                output.begin(sink.name(), documents.description(), scope);
                try {
                    run.compare(scope);
                } catch (InterruptedException e) {
                    findings.unknown(
                            "offsets, or fewer: the audit was stopped before its end", Math.max(1, scope.offsets()));
                    output.end(scope, findings, documents.dropped());
                    throw e;
                }
                output.end(scope, findings, documents.dropped());
                if (repairs) {
                    repair(
                            plan,
                            new Repair(sink, documents, positions, store, findings),
                            run.records(scope),
                            findings,
                            output);
                }
                return status(findings, scope);
            }
        }
    }

    /** Rows and documents of dead letters have the coordinates of another connector's records. */
    private static void requireRecords(ConfiguredSink sink) throws ToolException {
        AbstractConfig config = new AbstractConfig(sink.type().config(), sink.settings(), false);
        if (RedriveSettings.from(config).isOn()) {
            throw new ToolException(sink.name() + " writes dead letters (" + RedriveSettings.REDRIVE
                    + "=true), which are compared by the audit of the connector that refused them");
        }
    }

    /** Nothing tells what a connector has left out that did not begin at the start. */
    private void requireStart(Map<String, Object> consumer, Findings findings) throws ToolException {
        Object reset = consumer.get(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG);
        if (since.isPresent() || List.of("earliest", "none").contains(reset)) {
            return;
        }
        String why = "auto.offset.reset is " + reset
                + ", so records older than the connector count as missing: give the" + " time of its start (--since)";
        if (repairs) {
            throw new ToolException("nothing was changed: " + why);
        }
        findings.note(why);
    }

    private Optional<ComparedFile> compared(ConfiguredSink sink, TopicDocuments documents, KafkaPositions positions)
            throws ToolException, InterruptedException {
        return resume.isEmpty()
                ? Optional.empty()
                : Optional.of(ComparedFile.open(
                        resume.get(), sink.name(), documents.description(), positions.ids(documents.topics(sink))));
    }

    private List<DeadLetterTopic> letterTopics(ConfiguredSink sink, Worker worker) throws ToolException {
        String topic = sink.props().getOrDefault(DeadLetterTopic.TOPIC, "");
        String parked = parking.orElse(topic.isEmpty() ? "" : RedrivenLetters.parking(topic));
        boolean isStoredOnce = sink.identity().isStoredOnce();
        Map<String, Object> admin = worker.admin(sink.props());
        return List.of(
                new DeadLetterTopic(topic, parked, sink.name(), isStoredOnce, admin),
                new DeadLetterTopic(parked, parked, sink.name(), isStoredOnce, admin));
    }

    private int status(Findings findings, Scope scope) {
        boolean isUnknown = !findings.unknown().isEmpty() || scope.lag() > 0;
        return failOn.isPresent() && isUnknown ? 1 : findings.status();
    }

    private void repair(
            RepairPlan wanted, Repair repair, StoreAudit.Records records, Findings findings, AuditOutput output)
            throws ToolException, InterruptedException {
        RepairPlan plan = repair.possible(wanted);
        output.plan(plan);
        if (plan.size() > max) {
            throw new ToolException(
                    "nothing was changed: the plan has " + plan.size() + " changes, and --max is " + max);
        }
        if (plan.size() == 0) {
            return;
        }
        if (!findings.areLettersKnown()) {
            throw new ToolException("nothing was changed: not all dead letters were read, see the notes, and a redrive"
                    + " would write once more what a repair writes of them");
        }
        if (!yes && !Terminal.confirms("Carry out these " + plan.size() + " changes?")) {
            throw new ToolException("nothing was changed: --yes carries the plan out");
        }
        try {
            repair.run(plan, records.newer());
        } finally {
            output.repaired(repair);
        }
    }

    private StoreAudit store(ConfiguredSink sink, Findings findings) throws ToolException {
        StoreOpener opener = STORES.get(sink.type().getClass());
        if (opener == null) {
            throw new ToolException("the audit does not know the store of "
                    + sink.type().getClass().getSimpleName());
        }
        return opener.open(sink.settings(), findings);
    }
}
