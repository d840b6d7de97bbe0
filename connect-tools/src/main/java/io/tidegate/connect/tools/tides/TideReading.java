package io.tidegate.connect.tools.tides;

import java.time.Instant;
import java.util.OptionalDouble;

/**
 * One reading of one station, as a record of the pipeline carries it.
 *
 * @param level metres above mean lower low water; absent where the gauge gave none
 * @param sigma standard deviation of the one-second samples behind the level, in metres
 * @param flags NOAA's quality flags, comma-separated
 * @param quality {@code v} verified, {@code p} preliminary, {@code predicted} for our own predictions
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

    /** Beyond any water level on Earth, and small enough for millimetres in an int. */
    static final double LIMIT_METRES = 100_000;
}
