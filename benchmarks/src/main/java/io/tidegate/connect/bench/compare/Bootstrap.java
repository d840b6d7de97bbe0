package io.tidegate.connect.bench.compare;

import io.tidegate.connect.bench.results.Spread;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * The percentile bootstrap of a ratio of medians (B. Efron, R. Tibshirani, "An Introduction to the Bootstrap", 1993): both samples are drawn
 * again from themselves many times. The same figures give the same interval.
 */
public final class Bootstrap {
    private static final int DRAWS = 10_000;
    private static final double TAIL = 0.025;
    private static final int SEED = 42;

    private Bootstrap() {}

    /** A ratio, and between which it lies with 95 %. */
    public record Interval(double low, double ratio, double high) {}

    /** The second median divided by the first. */
    static Interval ofRatio(List<Double> before, List<Double> after) {
        Random random = new Random(SEED);
        double[] ratios = new double[DRAWS];
        for (int i = 0; i < DRAWS; i++) {
            ratios[i] = median(drawn(after, random)) / median(drawn(before, random));
        }
        Arrays.sort(ratios);
        return new Interval(
                ratios[(int) (DRAWS * TAIL)], median(after) / median(before), ratios[(int) (DRAWS * (1 - TAIL)) - 1]);
    }

    private static List<Double> drawn(List<Double> figures, Random random) {
        List<Double> drawn = new ArrayList<>(figures.size());
        for (int i = 0; i < figures.size(); i++) {
            drawn.add(figures.get(random.nextInt(figures.size())));
        }
        return drawn;
    }

    private static double median(List<Double> figures) {
        return Spread.of(figures).median();
    }
}
