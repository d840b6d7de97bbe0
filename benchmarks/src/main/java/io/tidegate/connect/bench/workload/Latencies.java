package io.tidegate.connect.bench.workload;

import io.tidegate.connect.bench.results.Measure;
import io.tidegate.connect.harness.PostgresQueries;
import io.tidegate.connect.tools.command.ToolException;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;

/**
 * The latencies of all records, from the time when a record was due until PostgreSQL inserted it. Both times come from
 * the same clock. The commit is not included.
 */
public final class Latencies {
    /** Adds a column for the time of the insert to the sink's table. */
    static final String COLUMN = "ALTER TABLE bench ADD COLUMN bench_at timestamptz NOT NULL DEFAULT clock_timestamp()";

    private static final String QUERY =
            "SELECT (doc->>'p')::int, (extract(epoch FROM bench_at) * 1000000)::bigint - (doc->>'t')::bigint FROM"
                    + " bench";
    private static final String PAUSES = "SELECT p, max(pause) FROM (SELECT (doc->>'p')::int AS p, extract(epoch FROM"
            + " bench_at - lag(bench_at) OVER (ORDER BY bench_at)) AS pause FROM bench) AS paused GROUP BY p";
    private static final int DIGITS = 3;
    private static final double MICROS_PER_MILLI = 1e3;

    private final List<Histogram> phases;

    private Latencies(int phases) {
        this.phases = IntStream.range(0, phases)
                .mapToObj(phase -> new Histogram(DIGITS))
                .toList();
    }

    static Latencies read(PostgresQueries queries, int phases) throws ToolException {
        Latencies latencies = new Latencies(phases);
        queries.scan(QUERY, row -> latencies.phases.get(row.getInt(1)).recordValue(Math.max(0, row.getLong(2))));
        return latencies;
    }

    /** The longest time without a new row before a row of each phase, in seconds. */
    public static Map<Integer, Double> pauses(PostgresQueries queries) throws ToolException {
        Map<Integer, Double> pauses = new HashMap<>();
        queries.scan(PAUSES, row -> pauses.put(row.getInt(1), row.getDouble(2)));
        return pauses;
    }

    /** The latencies of a phase; empty if it has no records. */
    Optional<Map<Measure, Double>> of(int phase) {
        Histogram all = phases.get(phase);
        if (all.getTotalCount() == 0) {
            return Optional.empty();
        }
        Map<Measure, Double> measures = new EnumMap<>(Measure.class);
        measures.put(Measure.LATENCY_P50, all.getValueAtPercentile(50) / MICROS_PER_MILLI);
        measures.put(Measure.LATENCY_P90, all.getValueAtPercentile(90) / MICROS_PER_MILLI);
        measures.put(Measure.LATENCY_P99, all.getValueAtPercentile(99) / MICROS_PER_MILLI);
        measures.put(Measure.LATENCY_P999, all.getValueAtPercentile(99.9) / MICROS_PER_MILLI);
        measures.put(Measure.LATENCY_MAX, all.getMaxValue() / MICROS_PER_MILLI);
        return Optional.of(measures);
    }
}
