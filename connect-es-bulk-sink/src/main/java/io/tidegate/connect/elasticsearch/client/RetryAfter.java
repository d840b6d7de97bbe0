package io.tidegate.connect.elasticsearch.client;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.Optional;

/**
 * The {@code Retry-After} header (RFC 9110, 10.2.3): seconds, or a date. A date is taken relative to the answer's own
 * {@code Date} header, as clocks differ; without one it tells nothing.
 */
final class RetryAfter {
    private static final int MAX_DIGITS = 6;

    private RetryAfter() {}

    /**
     * How long the server asks to be left alone.
     *
     * @param header the header's value
     * @param date the value of the answer's {@code Date} header
     */
    static Optional<Duration> parse(String header, Optional<String> date) {
        String text = header.trim();
        if (!text.isEmpty() && text.chars().allMatch(c -> c >= '0' && c <= '9')) {
            return text.length() > MAX_DIGITS
                    ? Optional.empty()
                    : Optional.of(Duration.ofSeconds(Long.parseLong(text)));
        }
        return date.flatMap(RetryAfter::instant)
                .flatMap(now -> instant(text).map(then -> Duration.between(now, then)))
                .filter(pause -> !pause.isNegative());
    }

    private static Optional<Instant> instant(String httpDate) {
        try {
            return Optional.of(DateTimeFormatter.RFC_1123_DATE_TIME.parse(httpDate.trim(), Instant::from));
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }
}
