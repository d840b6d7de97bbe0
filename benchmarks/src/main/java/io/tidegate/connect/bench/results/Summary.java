package io.tidegate.connect.bench.results;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/** Medians of the counted runs, and ratios of runs of the same round, so that a drift of the machine cancels out. */
public record Summary(List<Line> lines, List<Ratio> ratios) {
    /** The measures of one entrant, by {@link Measure#key}. */
    public record Line(String entrant, int noisyRuns, Map<String, Spread> measures) {
        public Optional<Spread> measure(Measure measure) {
            return Optional.ofNullable(measures.get(measure.key()));
        }

        /** The label of the entrant, with a star if runs were noisy. */
        public String title() {
            return entrant + (noisyRuns > 0 ? " *" : "");
        }
    }

    /** A measure of the entrant, divided by that of the first entrant in the same round. */
    public record Ratio(String entrant, String to, String measure, Spread ratio) {}

    private static final List<Measure> COMPARED =
            List.of(Measure.STEADY_RATE, Measure.WORKER_CPU, Measure.BROKER_CPU, Measure.SERVER_CPU);

    public static Summary of(List<CandidateInfo> entrants, List<Run> runs) {
        List<Line> lines = new ArrayList<>();
        List<Ratio> ratios = new ArrayList<>();
        for (CandidateInfo entrant : entrants) {
            List<Run> own = counting(runs, entrant);
            if (!own.isEmpty()) {
                lines.add(line(entrant, own));
                ratios.addAll(ratios(entrants.get(0), entrant, runs));
            }
        }
        return new Summary(List.copyOf(lines), List.copyOf(ratios));
    }

    private static List<Run> counting(List<Run> runs, CandidateInfo entrant) {
        Predicate<Run> own = run -> run.entrant().equals(entrant.label());
        return runs.stream().filter(own.and(Run::counts)).toList();
    }

    private static Line line(CandidateInfo entrant, List<Run> own) {
        Map<String, Spread> measures = new LinkedHashMap<>();
        for (Measure measure : Measure.values()) {
            List<Double> figures =
                    own.stream().flatMap(run -> run.measure(measure).stream()).toList();
            if (!figures.isEmpty()) {
                measures.put(measure.key(), Spread.of(figures));
            }
        }
        int noisy = (int) own.stream().filter(Run::noisy).count();
        return new Line(entrant.label(), noisy, measures);
    }

    private static List<Ratio> ratios(CandidateInfo base, CandidateInfo entrant, List<Run> runs) {
        if (entrant.equals(base)) {
            return List.of();
        }
        List<Ratio> ratios = new ArrayList<>();
        for (Measure measure : COMPARED) {
            List<Double> pairs = pairs(counting(runs, entrant), counting(runs, base), measure);
            if (!pairs.isEmpty()) {
                ratios.add(new Ratio(entrant.label(), base.label(), measure.key(), Spread.of(pairs)));
            }
        }
        return ratios;
    }

    private static List<Double> pairs(List<Run> own, List<Run> base, Measure measure) {
        List<Double> pairs = new ArrayList<>();
        for (Run run : own) {
            base.stream()
                    .filter(other -> other.round() == run.round())
                    .flatMap(other -> other.measure(measure).stream())
                    .filter(other -> other != 0)
                    .findFirst()
                    .ifPresent(other ->
                            run.measure(measure).map(figure -> figure / other).ifPresent(pairs::add));
        }
        return pairs;
    }
}
