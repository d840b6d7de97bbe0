package io.tidegate.connect.bench.results;

import java.util.List;

/** The spread of several values of one measure. */
public record Spread(double min, double median, double max, int runs) {
    /**
     * Calculates the spread.
     *
     * @param figures at least one, in any order
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

    /** The arguments of the format are the median, the lowest and the highest value. */
    public String format(String format) {
        return Figures.format(format, median, min, max);
    }
}
