package io.tidegate.connect.bench.scenario;

import io.tidegate.connect.bench.connector.ConnectorSpec;
import io.tidegate.connect.bench.drain.Candidate;
import io.tidegate.connect.bench.drain.ConnectorCandidate;
import io.tidegate.connect.bench.drain.DrainPlan;
import io.tidegate.connect.bench.drain.Experiment;
import io.tidegate.connect.bench.drain.Figures;
import io.tidegate.connect.bench.results.Entrant;
import io.tidegate.connect.bench.results.Results;
import io.tidegate.connect.bench.testbed.FailureDiagnostics;
import io.tidegate.connect.bench.testbed.TestBed;
import io.tidegate.connect.bench.testbed.Topic;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A fixed number of tasks on pools of several sizes: where the rate is best, and what more connections cost. */
record ConnectionsScenario(DrainPlan plan, List<Integer> sizes) implements Experiment {
    private static final String POOL_SIZE = "connection.pool.max.size";

    /** A rate that is so near to the best is as good. */
    private static final double AS_GOOD = 0.97;

    @Override
    public String name() {
        return "scenario connections";
    }

    @Override
    public List<Candidate> contestants(TestBed bed, Topic topic) {
        List<Candidate> all = new ArrayList<>();
        FailureDiagnostics evidence = new FailureDiagnostics(plan.out());
        for (ConnectorSpec subject : plan.subjects()) {
            for (int tasks : plan.tasks()) {
                for (int size : sizes) {
                    ConnectorSpec sized = subject.with(
                            subject.name() + ", at most " + size + (size == 1 ? " connection" : " connections"),
                            Map.of(POOL_SIZE, Integer.toString(size)));
                    all.add(new ConnectorCandidate(bed, topic, sized, tasks, evidence));
                }
            }
        }
        return all;
    }

    @Override
    public List<String> findings(Results results) {
        Figures medians = new Figures(results);
        Comparator<Entrant> byRate = Comparator.comparingDouble(entrant -> medians.rate(entrant.label()));
        Optional<Entrant> best = results.entrants().stream().max(byRate);
        if (best.isEmpty() || medians.rate(best.get().label()) == 0) {
            return List.of();
        }
        double most = medians.rate(best.get().label());
        Entrant enough = results.entrants().stream()
                .filter(entrant -> medians.rate(entrant.label()) >= AS_GOOD * most)
                .findFirst()
                .orElse(best.get());
        Entrant last = results.entrants().get(results.entrants().size() - 1);
        return List.of(
                Figures.format(
                        "The rate was best with %s: %,.0f records/s. Within 3 %% of it is %s, the fewest that do.",
                        best.get().label(), most, enough.label()),
                Figures.format(
                        "With %s it was %,.0f, %.0f %% of the best.",
                        last.label(), medians.rate(last.label()), medians.rate(last.label()) / most * 100));
    }
}
