package io.tidegate.connect.bench.plan;

/**
 * Gunther's Universal Scalability Law: the rate of n tasks is {@code lambda n / (1 + sigma (n - 1) + kappa n (n - 1))}.
 * See N. J. Gunther, "A General Theory of Computational Scalability Based on Rational Functions", 2008.
 *
 * @param lambda the rate of one task, in records/s
 * @param sigma contention: the share of their time that tasks wait for each other
 * @param kappa coherency: the cost of coordination per pair of tasks; above 0 the rate falls beyond a peak
 */
record Usl(double lambda, double sigma, double kappa) {
    double rate(double tasks) {
        return lambda * tasks / (1 + sigma * (tasks - 1) + kappa * tasks * (tasks - 1));
    }

    /** The number of tasks with the highest rate; infinite if the rate never falls. */
    double peak() {
        if (kappa <= 0) {
            return Double.POSITIVE_INFINITY;
        }
        return Math.sqrt(Math.max(0, 1 - sigma) / kappa);
    }
}
