package io.tidegate.connect.bench.compare;

import io.tidegate.connect.bench.results.Spread;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.DoubleStream;

/**
 * The percentile bootstrap of a ratio of medians (B. Efron, R. Tibshirani, "An Introduction to the Bootstrap", 1993):
 * both samples are resampled many times. The random seed is fixed, so the same values give the same interval.
 */
public final class Bootstrap {
    private static final int DRAWS = 10_000;
    private static final double TAIL = 0.025;
    private static final int SEED = 42;

    private Bootstrap() {}

    /** A ratio with its 95 % interval. */
    public record Interval(double low, double ratio, double high) {
        /** The arguments of the format are the ratio, the lower end and the upper end. */
        public String format(String format) {
            return String.format(Locale.ROOT, format, ratio, low, high);
        }
    }

    /** The second median divided by the first. */
    static Interval ofRatio(List<Double> before, List<Double> after) {
        Random random = new Random(SEED);
        double[] ratios = DoubleStream.generate(() -> ratio(drawn(after, random), drawn(before, random)))
                .limit(DRAWS)
                .sorted()
                .toArray();
        return new Interval(ratios[(int) (DRAWS * TAIL)], ratio(after, before), ratios[(int) (DRAWS * (1 - TAIL)) - 1]);
    }

    private static List<Double> drawn(List<Double> figures, Random random) {
        return figures.stream()
                .map(any -> figures.get(random.nextInt(figures.size())))
                .toList();
    }

    /** The ratio of the medians; 1 if both are 0. */
    private static double ratio(List<Double> after, List<Double> before) {
        double is = Spread.of(after).median();
        double was = Spread.of(before).median();
        return was == is ? 1 : is / was;
    }
}
