package io.tidegate.connect.bench.scenario;

import io.tidegate.connect.bench.connector.ConnectorSpec;
import io.tidegate.connect.bench.drain.Candidate;
import io.tidegate.connect.bench.drain.Candidates;
import io.tidegate.connect.bench.results.CandidateInfo;
import io.tidegate.connect.bench.results.Figures;
import io.tidegate.connect.bench.results.Measure;
import io.tidegate.connect.bench.results.Results;
import io.tidegate.connect.bench.testbed.TestBed;
import io.tidegate.connect.cli.ToolException;
import io.tidegate.connect.lab.store.PostgresStore;
import io.tidegate.connect.testkit.postgres.PgBouncer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Command;

/** Compares writing to PostgreSQL directly, and through PgBouncer in each of its pool modes. */
@Command(
        name = "pooler",
        description = "Compares writing to PostgreSQL directly, and through PgBouncer in its three pool modes.")
final class PoolerScenario extends DrainScenario {
    private static final String URL = "connection.url";

    PoolerScenario(Path root) {
        super(root, List.of(2), 4, "jsonb");
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
    public List<Candidate> candidates(Candidates make) {
        List<Candidate> all = new ArrayList<>();
        ConnectorSpec direct = spec();
        for (int tasks : plan().tasks()) {
            all.add(make.connector(direct, tasks));
            for (PgBouncer.PoolMode mode : PgBouncer.PoolMode.values()) {
                ConnectorSpec through = direct.with(
                        direct.name() + " through PgBouncer, " + mode.name().toLowerCase(Locale.ROOT),
                        Map.of(URL, "${env:" + PostgresStore.urlThrough(mode) + "}"));
                all.add(make.connector(through, tasks));
            }
        }
        return all;
    }

    @Override
    public List<String> findings(Results results) {
        Figures figures = new Figures(results);
        List<String> findings = new ArrayList<>();
        int each = 1 + PgBouncer.PoolMode.values().length;
        for (int i = 0; i < results.entrants().size(); i++) {
            CandidateInfo direct = results.entrants().get(i - i % each);
            String label = results.entrants().get(i).label();
            if (i % each != 0 && figures.rate(label) > 0 && figures.rate(direct.label()) > 0) {
                findings.add(Figures.format(
                        "%s: %.2f x the direct rate; server and pooler: %.1f CPU s per million records, direct %.1f.",
                        label,
                        figures.rate(label) / figures.rate(direct.label()),
                        figures.of(label, Measure.SERVER_CPU),
                        figures.of(direct.label(), Measure.SERVER_CPU)));
            }
        }
        findings.add("The connections that remain after a run through a pooler belong to the pooler.");
        return findings;
    }
}
