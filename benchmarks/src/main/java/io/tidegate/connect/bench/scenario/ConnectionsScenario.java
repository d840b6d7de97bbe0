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

/** Measures a fixed number of tasks on pools of several sizes: the best size, and the cost of more connections. */
@Command(name = "connections", description = "Measures how the rate depends on the size of the connection pool.")
final class ConnectionsScenario extends DrainScenario {
    private static final String POOL_SIZE = "connection.pool.max.size";

    /** A rate of at least this share of the best one is as good. */
    private static final double MIN_SHARE_OF_BEST = 0.97;

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
                .filter(entrant -> figures.rate(entrant.label()) >= MIN_SHARE_OF_BEST * most)
                .findFirst()
                .orElse(best.get());
        CandidateInfo last = results.entrants().get(results.entrants().size() - 1);
        return List.of(
                Figures.format(
                        "The rate was best with %s: %,.0f records/s. The smallest pool within 3 %% of it: %s.",
                        best.get().label(), most, enough.label()),
                Figures.format(
                        "With %s the rate was %,.0f records/s, %.0f %% of the best.",
                        last.label(), figures.rate(last.label()), figures.rate(last.label()) / most * 100));
    }
}
