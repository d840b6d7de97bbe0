package io.tidegate.connect.bench.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.hipparchus.linear.ArrayRealVector;
import org.hipparchus.linear.DecompositionSolver;
import org.hipparchus.linear.MatrixUtils;
import org.hipparchus.linear.QRDecomposition;
import org.hipparchus.linear.RealMatrix;
import org.hipparchus.linear.RealVector;

/**
 * The law that fits the measured rates best, found by least squares of relative errors. With {@code y = n / rate} the
 * law is linear: {@code y = d + b n + c n (n - 1)} where {@code d = (1 - sigma) / lambda}, {@code b = sigma / lambda},
 * {@code c = kappa / lambda}. None of them may be below 0, because sigma is between 0 and 1. Fits with some of the
 * three are tried too, and the best one is taken.
 *
 * @param errors the error of each measured rate: predicted / measured - 1
 * @param leftOut the same errors if the point itself is left out of the fit
 */
record UslFit(Usl law, List<Measured> data, List<Double> errors, List<Double> leftOut) {
    /** The minimum of different numbers of tasks: three determine the law, and a fourth can contradict it. */
    static final int MIN_TASK_COUNTS = 4;

    private static final double SINGULAR = 1e-12;

    /** The sets of d (0), b (1) and c (2) to fit. A fit with c alone has no meaning. */
    private static final int[][] TERMS = {{0, 1, 2}, {0, 1}, {0, 2}, {1, 2}, {0}, {1}};

    /** Returns empty if there are fewer than {@link #MIN_TASK_COUNTS} different numbers of tasks. */
    static Optional<UslFit> of(List<Measured> data) {
        if (distinct(data) < MIN_TASK_COUNTS) {
            return Optional.empty();
        }
        Usl law = best(data);
        List<Double> errors = data.stream().map(point -> error(law, point)).toList();
        return Optional.of(new UslFit(law, List.copyOf(data), errors, leaveOneOut(data)));
    }

    static long distinct(List<Measured> data) {
        return data.stream().mapToDouble(Measured::tasks).distinct().count();
    }

    double meanError() {
        return errors.stream().mapToDouble(Math::abs).average().orElse(0);
    }

    double worstLeftOut() {
        return leftOut.stream().mapToDouble(Math::abs).max().orElse(Double.NaN);
    }

    double mostTasks() {
        return data.stream().mapToDouble(Measured::tasks).max().orElse(0);
    }

    double fewestTasks() {
        return data.stream().mapToDouble(Measured::tasks).min().orElse(0);
    }

    private static double error(Usl law, Measured point) {
        return law.rate(point.tasks()) / point.rate() - 1;
    }

    private static List<Double> leaveOneOut(List<Measured> data) {
        return data.stream()
                .map(point -> {
                    List<Measured> others = new ArrayList<>(data);
                    others.remove(point);
                    return error(best(others), point);
                })
                .toList();
    }

    private static Usl best(List<Measured> data) {
        double least = Double.POSITIVE_INFINITY;
        double[] best = new double[3];
        for (int[] terms : TERMS) {
            RealMatrix rows = rows(data, terms);
            RealVector ones = new ArrayRealVector(data.size(), 1);
            DecompositionSolver solver = new QRDecomposition(rows, SINGULAR).getSolver();
            if (solver.isNonSingular()) {
                RealVector solution = solver.solve(ones);
                double error = rows.operate(solution).getDistance(ones);
                if (solution.getMinValue() >= 0 && error < least) {
                    least = error;
                    best = new double[3];
                    for (int i = 0; i < terms.length; i++) {
                        best[terms[i]] = solution.getEntry(i);
                    }
                }
            }
        }
        double a = best[0] + best[1];
        return new Usl(1 / a, best[1] / a, best[2] / a);
    }

    /** Each row is divided by its y, so that the right side is 1 and the residuals are relative errors. */
    private static RealMatrix rows(List<Measured> data, int... terms) {
        double[][] rows = data.stream()
                .map(point -> {
                    double perTask = point.rate() / point.tasks();
                    double[] all = {perTask, point.rate(), point.rate() * (point.tasks() - 1)};
                    return IntStream.of(terms).mapToDouble(term -> all[term]).toArray();
                })
                .toArray(double[][]::new);
        return MatrixUtils.createRealMatrix(rows);
    }
}
