package io.tidegate.connect.lab.tides;

import java.util.Arrays;
import java.util.List;

/**
 * One harmonic constituent: NOAA's amplitude and Greenwich phase lag at a station, and the astronomy that all stations share.
 *
 * @param amplitude in feet
 * @param phase Greenwich phase lag in degrees
 * @param speed in degrees per hour
 * @param multiples of T, s, h, p and p1 in the equilibrium argument (Schureman, Special Publication 98, table 2)
 * @param constant of the equilibrium argument, in degrees
 * @param nodes constituents whose node factors multiply; a leading minus subtracts the argument
 */
record Constituent(
        String name,
        double amplitude,
        double phase,
        double speed,
        List<Integer> multiples,
        double constant,
        List<String> nodes) {
    static List<Constituent> seattle() {
        return Resources.rows("constituents.tsv").stream()
                .map(Constituent::parse)
                .toList();
    }

    private static Constituent parse(String[] row) {
        return new Constituent(
                row[0],
                Double.parseDouble(row[1]),
                Double.parseDouble(row[2]),
                Double.parseDouble(row[3]),
                Arrays.stream(row, 4, 9).map(Integer::valueOf).toList(),
                Double.parseDouble(row[9]),
                List.of(row[10].split(" ")));
    }
}
