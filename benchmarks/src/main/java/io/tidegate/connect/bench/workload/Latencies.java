package io.tidegate.connect.bench.workload;

import io.tidegate.connect.bench.results.Measure;
import io.tidegate.connect.cli.ToolException;
import io.tidegate.connect.lab.store.PostgresQueries;
import java.sql.SQLException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;

/**
 * The latencies of all records, from the time when a record was due until it was visible to others, or without a watch
 * until PostgreSQL inserted it, which is before its commit. All times come from the same clock.
 */
public final class Latencies {
    /** Adds a column for the time of the insert to the sink's table. Its default makes {@code COPY} slower. */
    static final String COLUMN = "ALTER TABLE bench ADD COLUMN bench_at timestamptz NOT NULL DEFAULT clock_timestamp()";

    private static final String QUERY = "SELECT (doc->>'p')::int, (doc->>'t')::bigint, %s FROM bench";
    private static final String INSERTED = "(extract(epoch FROM bench_at) * 1000000)::bigint";
    private static final int DIGITS = 3;
    private static final double MICROS_PER_MILLI = 1e3;

    private final List<Histogram> phases;

    private Latencies(int phases) {
        this.phases = IntStream.range(0, phases)
                .mapToObj(phase -> new Histogram(DIGITS))
                .toList();
    }

    static Latencies read(PostgresQueries queries, int phases, Optional<CommitWatch> watch) throws ToolException {
        if (watch.isPresent()) {
            watch.get().requireRunning();
        }
        Latencies latencies = new Latencies(phases);
        queries.scan(QUERY.formatted(watch.isPresent() ? "xmin::text::bigint" : INSERTED), row -> {
            long end = row.getLong(3);
            if (watch.isPresent()) {
                end = watch.get()
                        .visibleMicros(end)
                        .orElseThrow(() -> new SQLException("the time of a commit was not seen"));
            }
            latencies.phases.get(row.getInt(1)).recordValue(Math.max(0, end - row.getLong(2)));
        });
        return latencies;
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
