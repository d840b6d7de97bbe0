package io.tidegate.connect.lab.tides;

import java.time.Instant;
import java.util.OptionalDouble;

/**
 * One reading of one station.
 *
 * @param level metres above mean lower low water; absent if the gauge had no reading
 * @param sigma standard deviation of the one-second samples of the level, in metres
 * @param flags NOAA's quality flags, comma-separated
 * @param quality {@code v} verified, {@code p} preliminary, {@code predicted} for this project's predictions
 * @param product NOAA's name of the data series: {@code water_level} or {@code predictions}
 */
record TideReading(
        TideStation station,
        Instant time,
        OptionalDouble level,
        OptionalDouble sigma,
        String flags,
        String quality,
        String product) {
    static final String WATER_LEVEL = "water_level";
    static final String PREDICTIONS = "predictions";

    /** Higher than any water level on Earth, and low enough for millimetres in an int. */
    static final double LIMIT_METRES = 100_000;
}
