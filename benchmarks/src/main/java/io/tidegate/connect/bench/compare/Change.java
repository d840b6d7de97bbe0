package io.tidegate.connect.bench.compare;

import io.tidegate.connect.bench.results.Measure;
import io.tidegate.connect.bench.results.Spread;

/** The change of one measure of one entrant. */
public record Change(
        String entrant, Measure measure, Spread before, Spread after, Bootstrap.Interval interval, Verdict verdict) {
    enum Verdict {
        SAME("within the noise"),
        BETTER("better"),
        WORSE("worse, by less than the threshold"),
        REGRESSION("REGRESSION"),
        UNKNOWN("too few runs to tell");

        private final String text;

        Verdict(String text) {
            this.text = text;
        }

        @Override
        public String toString() {
            return text;
        }
    }
}
