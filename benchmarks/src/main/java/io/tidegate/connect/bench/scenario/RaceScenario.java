package io.tidegate.connect.bench.scenario;

import io.tidegate.connect.bench.connector.ConnectorSpec;
import io.tidegate.connect.bench.drain.Candidate;
import io.tidegate.connect.bench.drain.ConnectorCandidate;
import io.tidegate.connect.bench.drain.DrainPlan;
import io.tidegate.connect.bench.drain.Experiment;
import io.tidegate.connect.bench.drain.Figures;
import io.tidegate.connect.bench.drain.RunFailure;
import io.tidegate.connect.bench.drain.Runs;
import io.tidegate.connect.bench.results.Entrant;
import io.tidegate.connect.bench.results.Measure;
import io.tidegate.connect.bench.results.Results;
import io.tidegate.connect.bench.results.Run;
import io.tidegate.connect.bench.testbed.FailureDiagnostics;
import io.tidegate.connect.bench.testbed.TestBed;
import io.tidegate.connect.bench.testbed.Topic;
import io.tidegate.connect.tools.ToolException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The same topic into both stores: each alone, and each while the other one runs as well. */
record RaceScenario(DrainPlan plan) implements Experiment {
    @Override
    public String name() {
        return "scenario race";
    }

    @Override
    public List<Candidate> contestants(TestBed bed, Topic topic) {
        List<Candidate> all = new ArrayList<>();
        FailureDiagnostics evidence = new FailureDiagnostics(plan.out());
        ConnectorSpec first = plan.subjects().get(0);
        ConnectorSpec second = plan.subjects().get(1);
        for (int tasks : plan.tasks()) {
            ConnectorCandidate left = new ConnectorCandidate(bed, topic, first, tasks, evidence);
            ConnectorCandidate right = new ConnectorCandidate(bed, topic, second, tasks, evidence);
            all.addAll(List.of(left, right));
            all.add(new Beside(new ConnectorCandidate(bed, topic, beside(first, second), tasks, evidence), right));
            all.add(new Beside(new ConnectorCandidate(bed, topic, beside(second, first), tasks, evidence), left));
        }
        return all;
    }

    private static ConnectorSpec beside(ConnectorSpec subject, ConnectorSpec other) {
        return subject.with(subject.name() + " beside " + other.name(), Map.of());
    }

    @Override
    public List<String> findings(Results results) {
        Figures medians = new Figures(results);
        List<String> findings = new ArrayList<>();
        for (int i = 0; i + 3 < results.entrants().size(); i += 4) {
            List<String> labels = results.entrants().subList(i, i + 4).stream()
                    .map(Entrant::label)
                    .toList();
            findings.add(Figures.format(
                    "Alone %s stored %,.0f records/s and %s %,.0f, of the same topic; the servers' CPU seconds for a million"
                            + " records were %.1f and %.1f, the workers' %.1f and %.1f.",
                    labels.get(0),
                    medians.rate(labels.get(0)),
                    labels.get(1),
                    medians.rate(labels.get(1)),
                    medians.of(labels.get(0), Measure.SERVER_CPU).orElse(0.0),
                    medians.of(labels.get(1), Measure.SERVER_CPU).orElse(0.0),
                    medians.of(labels.get(0), Measure.WORKER_CPU).orElse(0.0),
                    medians.of(labels.get(1), Measure.WORKER_CPU).orElse(0.0)));
            findings.add(Figures.format(
                    "While the other one runs on the same machine they store %,.0f and %,.0f.",
                    medians.rate(labels.get(2)), medians.rate(labels.get(3))));
        }
        return findings;
    }

    /** One that is measured while another one drains the same topic; both have to store everything. */
    private record Beside(ConnectorCandidate measured, ConnectorCandidate other) implements Candidate {
        @Override
        public Entrant entrant() {
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
