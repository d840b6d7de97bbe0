package io.tidegate.connect.lab.tides;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Instant;
import java.util.List;
import java.util.OptionalDouble;

/**
 * Predicted readings: one level of each station every six minutes from January 2015 on, the interval of NOAA's gauges.
 * Only Seattle's tide is predicted from its own constituents; see {@link HarmonicPredictor}.
 */
final class PredictedTides implements TideSource {
    static final Instant FIRST = Instant.parse("2015-01-01T00:00:00Z");
    private static final int INTERVAL_SECONDS = 360;
    private static final String QUALITY = "predicted";
    private static final String FLAGS = "0,0,0,0";

    private final List<TideStation> stations;
    private final List<byte[]> keys;
    private final HarmonicPredictor predictor;

    PredictedTides(TideStations stations, List<Constituent> constituents) {
        this.stations = stations.list();
        this.keys = this.stations.stream()
                .map(station -> station.id().getBytes(UTF_8))
                .toList();
        this.predictor = new HarmonicPredictor(this.stations, constituents);
    }

    static PredictedTides fromSeattlesConstituents() {
        return new PredictedTides(TideStations.all(), Constituent.seattle());
    }

    @Override
    public long stream(long limit, Receiver receiver) throws InterruptedException {
        ReadingEncoder encoder = new ReadingEncoder();
        double[] levels = new double[stations.size()];
        long streamed = 0;
        for (Instant time = FIRST; streamed < limit; time = time.plusSeconds(INTERVAL_SECONDS)) {
            predictor.predict(time.getEpochSecond(), levels);
            for (int i = 0; i < levels.length && streamed < limit; i++, streamed++) {
                receiver.accept(keys.get(i), encoder.encode(predicted(stations.get(i), time, levels[i])));
            }
        }
        return streamed;
    }

    private static TideReading predicted(TideStation station, Instant time, double level) {
        return new TideReading(
                station, time, OptionalDouble.of(level), OptionalDouble.of(0), FLAGS, QUALITY, TideReading.PREDICTIONS);
    }
}
