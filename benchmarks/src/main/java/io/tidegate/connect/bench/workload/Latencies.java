package io.tidegate.connect.bench.workload;

import io.tidegate.connect.bench.results.Measure;
import io.tidegate.connect.tools.ToolException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;

/**
 * From the moment a record was due until PostgreSQL inserted it, of every record. The server's clock and ours are the same one;
 * what the commit takes on top is not in it.
 */
public final class Latencies {
    /** What the table gets beside the sink's columns. */
    public static final String COLUMN =
            "ALTER TABLE bench ADD COLUMN bench_at timestamptz NOT NULL DEFAULT clock_timestamp()";

    private static final String QUERY =
            "SELECT (doc->>'p')::int, (extract(epoch FROM bench_at) * 1000000)::bigint - (doc->>'t')::bigint FROM bench";
    private static final String PAUSES = "SELECT p, max(pause) FROM (SELECT (doc->>'p')::int AS p,"
            + " extract(epoch FROM bench_at - lag(bench_at) OVER (ORDER BY bench_at)) AS pause FROM bench) AS paused GROUP BY p";
    private static final int DIGITS = 3;
    private static final int FETCH = 10_000;
    private static final double MICROS_PER_MILLI = 1e3;

    private final List<Histogram> phases;

    private Latencies(int phases) {
        this.phases = IntStream.range(0, phases)
                .mapToObj(phase -> new Histogram(DIGITS))
                .toList();
    }

    static Latencies read(Connection connection, int phases) throws ToolException {
        Latencies latencies = new Latencies(phases);
        try (Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.setFetchSize(FETCH);
            try (ResultSet rows = statement.executeQuery(QUERY)) {
                while (rows.next()) {
                    latencies.phases.get(rows.getInt(1)).recordValue(Math.max(0, rows.getLong(2)));
                }
            }
            return latencies;
        } catch (SQLException e) {
            throw new ToolException("the latencies cannot be read: " + e.getMessage(), e);
        }
    }

    /** Of each phase, how long before one of its rows there was none, at most; in seconds. */
    public static Map<Integer, Double> pauses(Connection connection) throws ToolException {
        Map<Integer, Double> pauses = new HashMap<>();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(PAUSES)) {
            while (rows.next()) {
                pauses.put(rows.getInt(1), rows.getDouble(2));
            }
            return pauses;
        } catch (SQLException e) {
            throw new ToolException("the pauses cannot be read: " + e.getMessage(), e);
        }
    }

    /** Empty for a phase without records. */
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
