package io.tidegate.connect.common.override;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.settings.EnumSetting;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What an operator wants to happen at one error.
 *
 * @param code in its canonical form
 * @param time for how long a record is retried since the error first met it; empty for no end, and for other actions
 * @param then what happens after that time; empty for what the failure table says
 */
public record ErrorOverride(String code, Action action, Optional<Duration> time, Optional<Action> then) {
    static final Duration LONGEST_TIME = Duration.ofDays(7);

    private static final Pattern TIME = Pattern.compile("([0-9]{1,9})(ms|s|m|h|d)");
    private static final Map<String, Duration> UNITS = Map.of(
            "ms", Duration.ofMillis(1),
            "s", Duration.ofSeconds(1),
            "m", Duration.ofMinutes(1),
            "h", Duration.ofHours(1),
            "d", Duration.ofDays(1));

    /** What to do. */
    public enum Action {
        /** The record is written again, as in an outage. */
        RETRY,
        /** The record goes to the dead letter queue, alone. */
        REFUSE,
        /** The record is skipped, alone. */
        IGNORE,
        /** The same, and the log says how many are. */
        WARN,
        /** The task fails. */
        FAIL;

        /** Whether the record is given up. */
        boolean isOfRecord() {
            return this == REFUSE || this == IGNORE || this == WARN;
        }
    }

    public ErrorOverride {
        requireNonNull(code, "code");
        requireNonNull(action, "action");
        requireNonNull(time, "time");
        requireNonNull(then, "then");
    }

    /** Whether a record is given up that it is about, at once or after its time. */
    public boolean endsRecords() {
        return action.isOfRecord() || then.filter(Action::isOfRecord).isPresent();
    }

    /**
     * Reads {@code code:action}, {@code code:retry:time} or {@code code:retry:time:action}.
     *
     * @throws IllegalArgumentException with the reason why it is not valid
     */
    static ErrorOverride parse(String text, ErrorCodes codes) {
        List<String> parts = List.of(text.strip().split("\\s*:\\s*", -1));
        if (parts.size() < 2 || parts.size() > 4) {
            throw new IllegalArgumentException("'" + text + "' is not CODE:ACTION or CODE:retry:TIME:ACTION");
        }
        String code = codes.canonical(parts.get(0));
        Action action = action(parts.get(1));
        Optional<Duration> time = parts.size() > 2 ? Optional.of(time(parts.get(2))) : Optional.empty();
        Optional<Action> then = parts.size() > 3 ? Optional.of(action(parts.get(3))) : Optional.empty();
        if (time.isPresent() && action != Action.RETRY) {
            throw new IllegalArgumentException("'" + text + "': only retry takes a time");
        }
        if (then.orElse(action).isOfRecord()) {
            codes.dangerOfRefusing(code).ifPresent(danger -> {
                throw new IllegalArgumentException("'" + text + "': " + danger);
            });
        }
        return new ErrorOverride(code, action, time, then);
    }

    private static Action action(String text) {
        try {
            return text.equalsIgnoreCase("dlq") ? Action.REFUSE : EnumSetting.parse(Action.class, text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "'" + text
                            + "' is no action; use retry, refuse (or dlq, which means the same), ignore, warn or fail",
                    e);
        }
    }

    private static Duration time(String text) {
        Matcher time = TIME.matcher(text.toLowerCase(Locale.ROOT));
        if (!time.matches()) {
            throw new IllegalArgumentException(
                    "'" + text + "' is no time; write a whole number with ms, s, m, h or d, such as 10m");
        }
        Duration found = UNITS.get(time.group(2)).multipliedBy(Long.parseLong(time.group(1)));
        if (found.isZero() || found.compareTo(LONGEST_TIME) > 0) {
            throw new IllegalArgumentException("'" + text + "' is not between 1ms and " + LONGEST_TIME.toDays()
                    + "d; leave it out to retry" + " without an end");
        }
        return found;
    }

    /** As an operator would write it, such as {@code 23503:retry:600s}. */
    @Override
    public String toString() {
        String unit = time.filter(each -> each.toMillis() % 1_000 != 0).isPresent() ? "ms" : "s";
        return code + ":" + EnumSetting.text(action)
                + time.map(each -> ":" + each.dividedBy(UNITS.get(unit)) + unit).orElse("")
                + then.map(action -> ":" + EnumSetting.text(action)).orElse("");
    }
}
