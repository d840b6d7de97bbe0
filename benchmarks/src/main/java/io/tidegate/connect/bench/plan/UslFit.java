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
 * The law that fits the measured rates best, by least squares of relative errors. With {@code y = n / rate} the law is
 * linear: {@code y = d + b n + c n (n - 1)} where {@code d = (1 - sigma) / lambda}, {@code b = sigma / lambda}, {@code c = kappa /
 * lambda}. None of them is below 0, since tasks can queue for no more than all of their time; the best of the fits with all
 * or some of the three is taken.
 *
 * @param errors of each measured rate: predicted / measured - 1
 * @param leftOut the same errors when the point itself had no part in the fit; empty with too few points for that
 */
record UslFit(Usl law, List<Measured> data, List<Double> errors, List<Double> leftOut) {
    /** Three parameters, and something that can contradict them. */
    static final int FEWEST = 4;

    private static final double SINGULAR = 1e-12;

    /** Which of d, b and c are in a fit. Alone, c has no meaning. */
    private static final int[][] TERMS = {{0, 1, 2}, {0, 1}, {0, 2}, {1, 2}, {0}, {1}};

    /** Empty when there are fewer than {@link #FEWEST} numbers of tasks. */
    static Optional<UslFit> of(List<Measured> data) {
        if (distinct(data) < FEWEST) {
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
