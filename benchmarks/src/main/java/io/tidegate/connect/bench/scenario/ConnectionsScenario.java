package io.tidegate.connect.bench.scenario;

import io.tidegate.connect.bench.connector.ConnectorSpec;
import io.tidegate.connect.bench.drain.Candidate;
import io.tidegate.connect.bench.drain.Candidates;
import io.tidegate.connect.bench.results.CandidateInfo;
import io.tidegate.connect.bench.results.Figures;
import io.tidegate.connect.bench.results.Results;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;

/** A fixed number of tasks on pools of several sizes: where the rate is best, and what more connections cost. */
@Command(
        name = "connections",
        description = "The rate by the size of the connection pool, for a fixed number of tasks.")
final class ConnectionsScenario extends DrainScenario {
    private static final String POOL_SIZE = "connection.pool.max.size";

    /** A rate that is so near to the best is as good. */
    private static final double AS_GOOD = 0.97;

    ConnectionsScenario(Path root) {
        super(root, List.of(4), 8, "jsonb");
    }

    @Override
    public List<Candidate> candidates(Candidates make) {
        List<Candidate> all = new ArrayList<>();
        for (ConnectorSpec spec : plan().specs()) {
            for (int tasks : plan().tasks()) {
                for (int size : poolSizes()) {
                    ConnectorSpec sized = spec.with(
                            spec.name() + ", at most " + size + (size == 1 ? " connection" : " connections"),
                            Map.of(POOL_SIZE, Integer.toString(size)));
                    all.add(make.connector(sized, tasks));
                }
            }
        }
        return all;
    }

    @Override
    public List<String> findings(Results results) {
        Figures figures = new Figures(results);
        Comparator<CandidateInfo> byRate = Comparator.comparingDouble(entrant -> figures.rate(entrant.label()));
        Optional<CandidateInfo> best = results.entrants().stream().max(byRate);
        if (best.isEmpty() || figures.rate(best.get().label()) == 0) {
            return List.of();
        }
        double most = figures.rate(best.get().label());
        CandidateInfo enough = results.entrants().stream()
                .filter(entrant -> figures.rate(entrant.label()) >= AS_GOOD * most)
                .findFirst()
                .orElse(best.get());
        CandidateInfo last = results.entrants().get(results.entrants().size() - 1);
        return List.of(
                Figures.format(
                        "The rate was best with %s: %,.0f records/s. Within 3 %% of it is %s, the fewest that do.",
                        best.get().label(), most, enough.label()),
                Figures.format(
                        "With %s it was %,.0f, %.0f %% of the best.",
                        last.label(), figures.rate(last.label()), figures.rate(last.label()) / most * 100));
    }
}
