package io.tidegate.connect.bench.results;

import java.util.List;

/** Several figures of the same thing. */
public record Spread(double min, double median, double max, int runs) {
    /**
     * Of figures in any order.
     *
     * @param figures at least one
     */
    public static Spread of(List<Double> figures) {
        if (figures.isEmpty()) {
            throw new IllegalArgumentException("no figures");
        }
        List<Double> sorted = figures.stream().sorted().toList();
        int size = sorted.size();
        double median = (sorted.get((size - 1) / 2) + sorted.get(size / 2)) / 2;
        return new Spread(sorted.get(0), median, sorted.get(size - 1), size);
    }
}
