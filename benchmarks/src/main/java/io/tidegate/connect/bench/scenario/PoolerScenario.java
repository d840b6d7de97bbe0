package io.tidegate.connect.bench.scenario;

import io.tidegate.connect.bench.connector.ConnectorSpec;
import io.tidegate.connect.bench.drain.Candidate;
import io.tidegate.connect.bench.drain.ConnectorCandidate;
import io.tidegate.connect.bench.drain.DrainPlan;
import io.tidegate.connect.bench.drain.Experiment;
import io.tidegate.connect.bench.drain.Figures;
import io.tidegate.connect.bench.results.Entrant;
import io.tidegate.connect.bench.results.Measure;
import io.tidegate.connect.bench.results.Results;
import io.tidegate.connect.bench.testbed.FailureDiagnostics;
import io.tidegate.connect.bench.testbed.TestBed;
import io.tidegate.connect.bench.testbed.Topic;
import io.tidegate.connect.testkit.postgres.PgBouncer;
import io.tidegate.connect.tools.ToolException;
import io.tidegate.connect.tools.store.PostgresStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Straight to PostgreSQL, and through PgBouncer in each of its pool modes. */
record PoolerScenario(DrainPlan plan) implements Experiment {
    private static final String URL = "connection.url";

    @Override
    public String name() {
        return "scenario pooler";
    }

    @Override
    public void prepare(TestBed bed) throws ToolException {
        if (!PgBouncer.isInstalled()) {
            throw new ToolException(
                    "the scenario pooler needs PgBouncer: there is no pgbouncer on the search path or in /usr/sbin");
        }
        bed.store(PostgresStore.class).orElseThrow().addPoolers();
    }

    @Override
    public List<Candidate> contestants(TestBed bed, Topic topic) {
        List<Candidate> all = new ArrayList<>();
        FailureDiagnostics evidence = new FailureDiagnostics(plan.out());
        ConnectorSpec direct = plan.subjects().get(0);
        for (int tasks : plan.tasks()) {
            all.add(new ConnectorCandidate(bed, topic, direct, tasks, evidence));
            for (PgBouncer.PoolMode mode : PgBouncer.PoolMode.values()) {
                ConnectorSpec through = direct.with(
                        direct.name() + " through PgBouncer, " + mode.name().toLowerCase(Locale.ROOT),
                        Map.of(URL, "${env:" + PostgresStore.urlThrough(mode) + "}"));
                all.add(new ConnectorCandidate(bed, topic, through, tasks, evidence));
            }
        }
        return all;
    }

    @Override
    public List<String> findings(Results results) {
        Figures medians = new Figures(results);
        List<String> findings = new ArrayList<>();
        int each = 1 + PgBouncer.PoolMode.values().length;
        for (int i = 0; i < results.entrants().size(); i++) {
            Entrant direct = results.entrants().get(i - i % each);
            String label = results.entrants().get(i).label();
            if (i % each != 0 && medians.rate(label) > 0 && medians.rate(direct.label()) > 0) {
                findings.add(Figures.format(
                        "%s: %.2f x the rate of the direct way, and %.1f CPU s for a million records in server and pooler"
                                + " instead of %.1f.",
                        label,
                        medians.rate(label) / medians.rate(direct.label()),
                        medians.of(label, Measure.SERVER_CPU).orElse(0.0),
                        medians.of(direct.label(), Measure.SERVER_CPU).orElse(0.0)));
            }
        }
        findings.add("Connections that are left behind a pooler are the pooler's own.");
        return findings;
    }
}
