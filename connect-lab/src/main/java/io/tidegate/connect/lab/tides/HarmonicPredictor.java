package io.tidegate.connect.lab.tides;

import java.util.List;

/**
 * Predicts the level at many stations: h(t) = mean + sum of f A cos(V + u + speed t - g). Only Seattle's amplitudes A and
 * phase lags g are NOAA's. Every other station has Seattle's, scaled and delayed by amounts derived from its id, so its
 * tide is plausible but not that of the real place. Not thread-safe. All stations share the cosines of a moment.
 */
final class HarmonicPredictor {
    private static final double SECONDS_PER_HOUR = 3600;
    private static final double METRES_PER_FOOT = 0.3048;

    /** Mean sea level at Seattle above mean lower low water, in feet: 14.58 - 7.94 of NOAA's datums. */
    private static final double SEATTLE_MEAN_FEET = 6.64;

    private final List<Constituent> constituents;
    private final double[] means;
    private final double[][] cosines;
    private final double[][] sines;

    HarmonicPredictor(List<TideStation> stations, List<Constituent> constituents) {
        this.constituents = List.copyOf(constituents);
        this.means = new double[stations.size()];
        this.cosines = new double[constituents.size()][stations.size()];
        this.sines = new double[constituents.size()][stations.size()];
        for (int station = 0; station < stations.size(); station++) {
            place(station, Variation.of(stations.get(station)));
        }
    }

    private void place(int station, Variation variation) {
        double scale = METRES_PER_FOOT * variation.scale();
        means[station] = SEATTLE_MEAN_FEET * scale;
        for (int i = 0; i < constituents.size(); i++) {
            Constituent constituent = constituents.get(i);
            double lag = Math.toRadians(constituent.phase() + constituent.speed() * variation.delayHours());
            cosines[i][station] = scale * constituent.amplitude() * Math.cos(lag);
            sines[i][station] = scale * constituent.amplitude() * Math.sin(lag);
        }
    }

    /** Fills {@code levels}, one per station, in metres above mean lower low water. */
    void predict(long epochSecond, double[] levels) {
        System.arraycopy(means, 0, levels, 0, means.length);
        double hours = (epochSecond - PredictedTides.FIRST.getEpochSecond()) / SECONDS_PER_HOUR;
        for (int i = 0; i < cosines.length; i++) {
            Constituent constituent = constituents.get(i);
            double angle = Math.toRadians(constituent.argument() + constituent.speed() * hours);
            double factor = constituent.factor();
            add(levels, cosines[i], factor * Math.cos(angle), sines[i], factor * Math.sin(angle));
        }
    }

    /** cos(a - b) = cos a cos b + sin a sin b. The compiler turns this loop into vector instructions. */
    private static void add(double[] levels, double[] cosines, double cos, double[] sines, double sin) {
        for (int station = 0; station < levels.length; station++) {
            levels[station] += cosines[station] * cos + sines[station] * sin;
        }
    }

    /** The difference between a station's tide and Seattle's. */
    private record Variation(double scale, double delayHours) {
        private static final double LEAST_SCALE = 0.3;
        private static final double SCALE_RANGE = 1.2;
        private static final double DELAY_RANGE_HOURS = 12.4;

        static Variation of(TideStation station) {
            if (station.id().equals(TideStations.SEATTLE)) {
                return new Variation(1, 0);
            }
            int hash = station.id().hashCode() * 0x9E3779B9;
            return new Variation(
                    LEAST_SCALE + SCALE_RANGE * fraction(hash), DELAY_RANGE_HOURS * fraction(hash * 0x85EBCA6B));
        }

        private static double fraction(int hash) {
            return Integer.toUnsignedLong(hash) / 0x1p32;
        }
    }
}
