package io.tidegate.connect.bench.plan;

/** Small linear systems with more rows than unknowns. */
final class LeastSquares {
    private static final double SINGULAR = 1e-12;

    private LeastSquares() {}

    /**
     * Minimises the squares of {@code row . x - last}, by the normal equations.
     *
     * @param rows each with the factors of the unknowns, then the right side
     * @return the unknowns; empty when the rows do not determine them
     */
    static double[] solve(double[][] rows) {
        int unknowns = rows[0].length - 1;
        double[] scale = scale(rows, unknowns);
        double[][] normal = new double[unknowns][unknowns + 1];
        for (double[] row : rows) {
            for (int i = 0; i < unknowns; i++) {
                for (int j = 0; j < unknowns; j++) {
                    normal[i][j] += row[i] / scale[i] * row[j] / scale[j];
                }
                normal[i][unknowns] += row[i] / scale[i] * row[unknowns];
            }
        }
        double[] solution = eliminate(normal);
        for (int i = 0; i < solution.length; i++) {
            solution[i] /= scale[i];
        }
        return solution;
    }

    /** Columns of very different sizes would look singular. */
    private static double[] scale(double[][] rows, int unknowns) {
        double[] scale = new double[unknowns];
        for (int i = 0; i < unknowns; i++) {
            for (double[] row : rows) {
                scale[i] = Math.max(scale[i], Math.abs(row[i]));
            }
            scale[i] = scale[i] == 0 ? 1 : scale[i];
        }
        return scale;
    }

    private static double[] eliminate(double[][] system) {
        int size = system.length;
        for (int column = 0; column < size; column++) {
            int pivot = column;
            for (int row = column + 1; row < size; row++) {
                pivot = Math.abs(system[row][column]) > Math.abs(system[pivot][column]) ? row : pivot;
            }
            if (Math.abs(system[pivot][column]) < SINGULAR) {
                return new double[0];
            }
            double[] swapped = system[column];
            system[column] = system[pivot];
            system[pivot] = swapped;
            for (int row = 0; row < size; row++) {
                if (row != column) {
                    subtract(system[row], system[column], column);
                }
            }
        }
        double[] solution = new double[size];
        for (int i = 0; i < size; i++) {
            solution[i] = system[i][size] / system[i][i];
        }
        return solution;
    }

    private static void subtract(double[] row, double[] pivot, int column) {
        double factor = row[column] / pivot[column];
        for (int i = column; i < row.length; i++) {
            row[i] -= factor * pivot[i];
        }
    }
}
