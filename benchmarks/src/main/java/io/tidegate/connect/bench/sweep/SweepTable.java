package io.tidegate.connect.bench.sweep;

import io.tidegate.connect.bench.results.CandidateInfo;
import io.tidegate.connect.bench.results.Figures;
import io.tidegate.connect.bench.results.Measure;
import io.tidegate.connect.bench.results.Results;
import io.tidegate.connect.bench.results.Summary;
import java.util.ArrayList;
import java.util.List;

/**
 * A table of medians, with the columns that CockroachDB's engineers published for their pipeline. Both latencies are
 * that of a request, because a request is one transaction with one statement. Only Tidegate's sinks report it.
 */
public final class SweepTable {
    public static final List<String> HEADING =
            List.of(("sink,vcpus,tasks,partitions,record_bytes,batch_size,rows_per_request,tps,cpu_util,"
                            + "txn_latency_ms,per_stmt_latency_ms,worker_cpu_s_per_million,server_cpu_s_per_million,"
                            + "connections,stored_bytes_per_record")
                    .split(",", -1));

    private SweepTable() {}

    public static List<List<String>> rows(Results results) {
        List<List<String>> rows = new ArrayList<>();
        for (Summary.Line line : results.summary().lines()) {
            results.entrants().stream()
                    .filter(entrant -> entrant.label().equals(line.entrant()))
                    .findFirst()
                    .ifPresent(entrant -> rows.add(row(results, entrant, line)));
        }
        return rows;
    }

    private static List<String> row(Results results, CandidateInfo entrant, Summary.Line line) {
        return List.of(
                entrant.label().replaceFirst(", \\d+ \\w+$", ""),
                results.environment().getOrDefault("processors", ""),
                Integer.toString(entrant.tasks()),
                results.settings().getOrDefault("partitions", ""),
                results.settings().getOrDefault("record_bytes_avg", ""),
                entrant.config().getOrDefault("batch.size", ""),
                figure(line, Measure.REQUEST_RECORDS, "%.0f"),
                figure(line, Measure.STEADY_RATE, "%.0f"),
                figure(line, Measure.BUSY, "%.0f"),
                figure(line, Measure.WRITE_P50, "%.1f"),
                figure(line, Measure.WRITE_P50, "%.1f"),
                figure(line, Measure.WORKER_CPU, "%.2f"),
                figure(line, Measure.SERVER_CPU, "%.2f"),
                figure(line, Measure.CONNECTIONS, "%.0f"),
                figure(line, Measure.STORED_BYTES, "%.0f"));
    }

    private static String figure(Summary.Line line, Measure measure, String format) {
        return line.measure(measure)
                .map(spread -> Figures.format(format, spread.median()))
                .orElse("");
    }
}
