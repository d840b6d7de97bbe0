package io.tidegate.connect.bench.scenario;

import io.tidegate.connect.bench.connector.ConnectorSpec;
import io.tidegate.connect.bench.drain.Candidate;
import io.tidegate.connect.bench.drain.Candidates;
import io.tidegate.connect.bench.drain.ConnectorCandidate;
import io.tidegate.connect.bench.drain.RunFailure;
import io.tidegate.connect.bench.drain.Runs;
import io.tidegate.connect.bench.results.CandidateInfo;
import io.tidegate.connect.bench.results.Figures;
import io.tidegate.connect.bench.results.Measure;
import io.tidegate.connect.bench.results.Results;
import io.tidegate.connect.bench.results.Run;
import io.tidegate.connect.cli.ToolException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;

/** Writes the same topic into both stores: each alone, and each while the other one runs. */
@Command(
        name = "race",
        description = "Writes the same topic into PostgreSQL and Elasticsearch: each alone, and both at the same time.")
final class RaceScenario extends DrainScenario {
    RaceScenario(Path root) {
        super(root, List.of(1), 4, "jsonb", "es");
    }

    @Override
    public List<Candidate> candidates(Candidates make) {
        List<Candidate> all = new ArrayList<>();
        ConnectorSpec first = spec();
        ConnectorSpec second = plan().specs().get(1);
        for (int tasks : plan().tasks()) {
            ConnectorCandidate left = make.connector(first, tasks);
            ConnectorCandidate right = make.connector(second, tasks);
            all.addAll(List.of(left, right));
            all.add(new Beside(make.connector(beside(first, second), tasks), right));
            all.add(new Beside(make.connector(beside(second, first), tasks), left));
        }
        return all;
    }

    private static ConnectorSpec beside(ConnectorSpec spec, ConnectorSpec other) {
        return spec.with(spec.name() + " beside " + other.name(), Map.of());
    }

    @Override
    public List<String> findings(Results results) {
        Figures figures = new Figures(results);
        List<String> findings = new ArrayList<>();
        for (int i = 0; i + 3 < results.entrants().size(); i += 4) {
            List<String> labels = results.entrants().subList(i, i + 4).stream()
                    .map(CandidateInfo::label)
                    .toList();
            findings.add(Figures.format(
                    "Alone, %s stored %,.0f records/s, and %s stored %,.0f records/s of the same topic. CPU seconds"
                            + " per million records: servers %.1f and %.1f, workers %.1f and %.1f.",
                    labels.get(0),
                    figures.rate(labels.get(0)),
                    labels.get(1),
                    figures.rate(labels.get(1)),
                    figures.of(labels.get(0), Measure.SERVER_CPU),
                    figures.of(labels.get(1), Measure.SERVER_CPU),
                    figures.of(labels.get(0), Measure.WORKER_CPU),
                    figures.of(labels.get(1), Measure.WORKER_CPU)));
            findings.add(Figures.format(
                    "At the same time on one machine, they stored %,.0f and %,.0f records/s.",
                    figures.rate(labels.get(2)), figures.rate(labels.get(3))));
        }
        return findings;
    }

    /** Measures a connector while another one drains the same topic. Both must store all records. */
    private record Beside(ConnectorCandidate measured, ConnectorCandidate other) implements Candidate {
        @Override
        public CandidateInfo entrant() {
            return measured.entrant();
        }

        @Override
        public Run run(int round) throws ToolException, InterruptedException {
            ConnectorCandidate.Background background = other.start(round);
            try {
                Run run = measured.run(round);
                background.drain().untilAllIsStored();
                return run;
            } catch (RunFailure e) {
                return Runs.failed(
                        entrant(), round, other.entrant().label() + ", which ran beside it: " + e.getMessage());
            } finally {
                background.remove();
            }
        }
    }
}
