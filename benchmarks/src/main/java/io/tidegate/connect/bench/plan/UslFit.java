package io.tidegate.connect.bench.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

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

    private static final int TERMS = 3;

    /** Empty when there are fewer than {@link #FEWEST} numbers of tasks. */
    static Optional<UslFit> of(List<Measured> data) {
        if (distinct(data) < FEWEST) {
            return Optional.empty();
        }
        Usl law = best(data);
        return Optional.of(new UslFit(law, List.copyOf(data), errors(law, data), leaveOneOut(data)));
    }

    private static long distinct(List<Measured> data) {
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

    private static List<Double> errors(Usl law, List<Measured> data) {
        return data.stream()
                .map(point -> law.rate(point.tasks()) / point.rate() - 1)
                .toList();
    }

    private static List<Double> leaveOneOut(List<Measured> data) {
        List<Double> errors = new ArrayList<>();
        for (int i = 0; i < data.size(); i++) {
            List<Measured> others = new ArrayList<>(data);
            Measured point = others.remove(i);
            errors.add(best(others).rate(point.tasks()) / point.rate() - 1);
        }
        return List.copyOf(errors);
    }

    private static Usl best(List<Measured> data) {
        double least = Double.POSITIVE_INFINITY;
        double[] coefficients = new double[TERMS];
        for (int used = 1; used < 1 << TERMS; used++) {
            double[] candidate = LeastSquares.solve(rows(data, used));
            if (candidate.length == 0 || isImpossible(candidate)) {
                continue;
            }
            double[] full = spread(candidate, used);
            double sum = squares(data, full);
            if (full[0] + full[1] > 0 && sum < least) {
                least = sum;
                coefficients = full;
            }
        }
        return law(coefficients);
    }

    /** Of a row of the system, divided by y: what the used terms make of it, and 1. */
    private static double[][] rows(List<Measured> data, int used) {
        return data.stream()
                .map(point -> {
                    double y = point.tasks() / point.rate();
                    double[] terms = terms(point.tasks());
                    double[] row = new double[Integer.bitCount(used) + 1];
                    int column = 0;
                    for (int term = 0; term < TERMS; term++) {
                        if ((used >> term & 1) == 1) {
                            row[column++] = terms[term] / y;
                        }
                    }
                    row[column] = 1;
                    return row;
                })
                .toArray(double[][]::new);
    }

    private static double[] terms(double tasks) {
        return new double[] {1, tasks, tasks * (tasks - 1)};
    }

    private static boolean isImpossible(double[] coefficients) {
        for (double coefficient : coefficients) {
            if (!(coefficient >= 0)) {
                return true;
            }
        }
        return false;
    }

    private static double[] spread(double[] coefficients, int used) {
        double[] full = new double[TERMS];
        int column = 0;
        for (int term = 0; term < TERMS; term++) {
            full[term] = (used >> term & 1) == 1 ? coefficients[column++] : 0;
        }
        return full;
    }

    private static double squares(List<Measured> data, double[] coefficients) {
        double sum = 0;
        for (Measured point : data) {
            double y = point.tasks() / point.rate();
            double[] terms = terms(point.tasks());
            double predicted = 0;
            for (int term = 0; term < TERMS; term++) {
                predicted += coefficients[term] * terms[term];
            }
            sum += (predicted / y - 1) * (predicted / y - 1);
        }
        return sum;
    }

    private static Usl law(double[] coefficients) {
        double a = coefficients[0] + coefficients[1];
        return new Usl(1 / a, coefficients[1] / a, coefficients[2] / a);
    }
}
