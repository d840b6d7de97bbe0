package io.tidegate.connect.elasticsearch.client;

import java.time.Duration;
import java.util.Optional;

/** The {@code Retry-After} header (RFC 9110, 10.2.3) in seconds; a date is not honoured, as clocks differ. */
final class RetryAfter {
    private static final int MAX_DIGITS = 6;

    private RetryAfter() {}

    static Optional<Duration> parse(String header) {
        String text = header.trim();
        if (text.isEmpty() || text.length() > MAX_DIGITS || !text.chars().allMatch(c -> c >= '0' && c <= '9')) {
            return Optional.empty();
        }
        return Optional.of(Duration.ofSeconds(Long.parseLong(text)));
    }
}
