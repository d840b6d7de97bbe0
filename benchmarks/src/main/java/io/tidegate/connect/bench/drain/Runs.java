package io.tidegate.connect.bench.drain;

import io.tidegate.connect.bench.results.CandidateInfo;
import io.tidegate.connect.bench.results.Measure;
import io.tidegate.connect.bench.results.Run;
import io.tidegate.connect.bench.testbed.Series;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Makes runs from their measures. */
final class Runs {
    /** A run is noisy if other processes use more of the machine's CPU than this in its steady part. */
    static final double NOISY_PERCENT = 10;

    private Runs() {}

    static Run ok(CandidateInfo entrant, int round, Map<Measure, Double> measures, Series series) {
        Map<String, Double> byKey = new LinkedHashMap<>();
        measures.forEach((measure, figure) -> byKey.put(measure.key(), figure));
        boolean noisy = measures.getOrDefault(Measure.OTHER_CPU, 0.0) > NOISY_PERCENT;
        return new Run(entrant.label(), round, Run.OK, noisy, byKey, series.samples());
    }

    static Run failed(CandidateInfo entrant, int round, String reason) {
        return new Run(entrant.label(), round, reason, false, Map.of(), List.of());
    }
}
