package io.tidegate.connect.bench.drain;

import io.tidegate.connect.bench.connector.ConnectorSpec;
import io.tidegate.connect.bench.connector.OwnPlugin;
import io.tidegate.connect.bench.form.ValueForm;
import io.tidegate.connect.bench.form.ValueForms;
import io.tidegate.connect.bench.store.MeasuredStore;
import io.tidegate.connect.bench.store.RawBulk;
import io.tidegate.connect.bench.store.RawRecords;
import io.tidegate.connect.bench.store.RawWriter;
import io.tidegate.connect.bench.store.StoreKind;
import io.tidegate.connect.bench.testbed.TestBed;
import io.tidegate.connect.bench.testbed.Topic;
import io.tidegate.connect.cli.ToolException;
import io.tidegate.connect.lab.store.PostgresStore;
import io.tidegate.connect.lab.tides.TideSource;
import io.tidegate.connect.testkit.kafka.Kafka;
import io.tidegate.connect.testkit.postgres.PgBouncer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Compares connectors, no-op sink and raw client, each with every number of tasks.
 *
 * @param root the folder of the checkout
 * @param forms the forms of the values, each with every connector
 * @param needs what the forms need; closed at the end
 * @param withNoOpSink whether to include a sink that does nothing, on each topic
 * @param withRawClient whether to include a raw client
 */
public record SinkComparison(
        Path root, DrainPlan plan, List<ValueForm> forms, ValueForms needs, boolean withNoOpSink, boolean withRawClient)
        implements AutoCloseable {
    /** Called before the servers start. */
    void prepare(TestBed bed) throws ToolException {
        if (withRawClient) {
            needsKeys();
        }
        if (plan.specs().stream().noneMatch(spec -> PostgresStore.usesPoolers(spec.config()))) {
            return;
        }
        if (!PgBouncer.isInstalled()) {
            throw new ToolException("there is no pgbouncer on the search path or in /usr/sbin");
        }
        bed.store(PostgresStore.class).orElseThrow().addPoolers();
    }

    /** Makes the candidates, in the order of their turns. The servers run, and the topic is filled. */
    List<Candidate> candidates(Candidates make) throws ToolException, InterruptedException {
        List<Candidate> all = new ArrayList<>();
        Map<String, Candidates> byRecords = new LinkedHashMap<>(Map.of("", make));
        for (ValueForm form : forms) {
            if (!byRecords.containsKey(form.records())) {
                byRecords.put(form.records(), make.on(filled(make, form)));
            }
            Candidates of = byRecords.get(form.records());
            List<Path> beside = needs.plugins(form);
            for (int tasks : plan.tasks()) {
                for (ConnectorSpec spec : plan.specs()) {
                    List<Path> plugins = new ArrayList<>(beside);
                    plugins.add(spec.folder());
                    all.add(new ConnectorCandidate(of, plugins, in(form, spec), tasks));
                }
            }
        }
        make.bed().addEnvironment(needs.environment());
        if (withNoOpSink) {
            ConnectorSpec noOp = OwnPlugin.noOpSink(root);
            byRecords.forEach((records, of) -> {
                ConnectorSpec named = noOp.with((noOp.name() + " " + records).strip(), Map.of());
                plan.tasks()
                        .forEach(tasks -> all.add(new ConnectorCandidate(of, List.of(named.folder()), named, tasks)));
            });
        }
        if (withRawClient) {
            rawClients(make).values().forEach(all::add);
        }
        return all;
    }

    /** A form with its own topic still goes to the table of the others; an index has its name in the configuration. */
    private static ConnectorSpec in(ValueForm form, ConnectorSpec spec) {
        if (form == ValueForm.BYTES) {
            return spec;
        }
        Map<String, String> changes = new HashMap<>(form.settings());
        if (!form.isPlain() && spec.store() == StoreKind.POSTGRESQL) {
            changes.put("table.name.format", spec.table().name());
        }
        return spec.with(spec.name() + " " + form, changes);
    }

    private Topic filled(Candidates make, ValueForm form) throws ToolException, InterruptedException {
        String name = Topic.NAME + "-" + form.records();
        Kafka broker = make.bed().broker();
        broker.createTopic(name, plan.partitions());
        TideSource records = needs.records(form, name, plan.source());
        return Topic.fill(broker.bootstrapServers(), name, plan.partitions(), records, plan.records());
    }

    /** Whether a raw client needs the records' keys. */
    private boolean needsKeys() throws ToolException {
        boolean keys = false;
        for (ConnectorSpec spec : plan.specs()) {
            keys |= spec.store() != StoreKind.POSTGRESQL && RawBulk.needsKeys(spec.config());
        }
        return keys;
    }

    /** A raw client for each kind of requests that the connectors send, by its label. */
    private Map<String, Candidate> rawClients(Candidates make) throws ToolException, InterruptedException {
        RawRecords records = Values.of(plan.source(), make.topic(), needsKeys());
        Map<String, Candidate> all = new LinkedHashMap<>();
        for (MeasuredStore store : make.bed().stores()) {
            for (ConnectorSpec spec : plan.specs()) {
                if (spec.store() == store.kind()) {
                    RawWriter writer = store.rawWriter().apply(records.of(spec.config()));
                    for (int tasks : plan.tasks()) {
                        Candidate raw = new RawCandidate(make, store, spec, writer, tasks);
                        all.putIfAbsent(raw.entrant().label(), raw);
                    }
                }
            }
        }
        return all;
    }

    /** Called after the servers are closed. */
    @Override
    public void close() {
        needs.close();
    }
}
