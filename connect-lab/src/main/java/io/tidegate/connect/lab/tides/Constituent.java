package io.tidegate.connect.lab.tides;

import java.util.List;

/**
 * One harmonic constituent: NOAA's amplitude and Greenwich phase lag at a station, and the astronomy that all stations share.
 *
 * @param amplitude in feet
 * @param phase Greenwich phase lag in degrees
 * @param speed in degrees per hour
 * @param factor the node factor f
 * @param argument the equilibrium argument V + u at {@link PredictedTides#FIRST}, in degrees
 */
record Constituent(String name, double amplitude, double phase, double speed, double factor, double argument) {
    static List<Constituent> seattle() {
        return Resources.rows("constituents.tsv").stream()
                .map(row -> new Constituent(
                        row[0],
                        Double.parseDouble(row[1]),
                        Double.parseDouble(row[2]),
                        Double.parseDouble(row[3]),
                        Double.parseDouble(row[4]),
                        Double.parseDouble(row[5])))
                .toList();
    }
}
