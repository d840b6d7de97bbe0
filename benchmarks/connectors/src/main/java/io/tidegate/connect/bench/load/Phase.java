package io.tidegate.connect.bench.load;

import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A part of a load. Its rate is constant, or rises or falls evenly.
 *
 * @param from records/s at its start; if it and {@code to} are 0, the phase is unbounded: as fast as possible
 * @param to records/s at its end
 * @param seconds its length, above 0
 */
public record Phase(double from, double to, double seconds) {
    private static final String NUMBER = "(\\d+(?:\\.\\d+)?)";
    private static final Pattern TEXT = Pattern.compile("(?:unbounded|" + NUMBER + "(?:-" + NUMBER + ")?)@" + NUMBER);

    public Phase {
        if (!(from >= 0 && to >= 0 && seconds > 0)) {
            throw new IllegalArgumentException("a phase needs seconds above 0 and no negative rate");
        }
    }

    /**
     * Reads a list such as {@code 10@30,1000-2000@30,unbounded@5}: rate or rates, and seconds.
     *
     * @throws IllegalArgumentException if a part is not a phase
     */
    public static List<Phase> parse(List<String> texts) {
        return texts.stream().map(Phase::parse).toList();
    }

    private static Phase parse(String text) {
        Matcher matcher = TEXT.matcher(text.strip());
        if (!matcher.matches()) {
            throw new IllegalArgumentException("not RATE@SECONDS, FROM-TO@SECONDS or unbounded@SECONDS: " + text);
        }
        double from = matcher.group(1) == null ? 0 : Double.parseDouble(matcher.group(1));
        double to = matcher.group(2) == null ? from : Double.parseDouble(matcher.group(2));
        return new Phase(from, to, Double.parseDouble(matcher.group(3)));
    }

    /** Formats phases so that {@link #parse} reads them. */
    public static String text(List<Phase> phases) {
        return phases.stream()
                .map(phase -> phase.isUnbounded()
                        ? "unbounded@" + number(phase.seconds)
                        : number(phase.from) + "-" + number(phase.to) + "@" + number(phase.seconds))
                .collect(Collectors.joining(","));
    }

    private static String number(double figure) {
        return String.format(Locale.ROOT, "%.6f", figure);
    }

    public boolean isUnbounded() {
        return from == 0 && to == 0;
    }

    /** The number of records that are due when the given seconds have passed since its start. */
    public double due(double elapsed) {
        double time = Math.min(Math.max(elapsed, 0), seconds);
        return from * time + (to - from) * time * time / (2 * seconds);
    }

    /** The seconds from the start until a record is due. The first record has the number 0. */
    public double time(long number) {
        double slope = (to - from) / seconds;
        if (Math.abs(slope) < 1e-9) {
            return number / from;
        }
        return (Math.sqrt(Math.max(0, from * from + 2 * slope * number)) - from) / slope;
    }

    /** The number of its records; 0 if it is unbounded. */
    public long records() {
        return isUnbounded() ? 0 : (long) Math.floor(due(seconds));
    }

    /** The number of records of consecutive phases that are due when the given seconds have passed. */
    public static long due(List<Phase> phases, double elapsed) {
        double left = elapsed;
        long due = 0;
        for (Phase phase : phases) {
            due += (long) Math.floor(phase.due(left));
            left -= phase.seconds;
        }
        return due;
    }

    /** Seconds of all phases together. */
    public static double seconds(List<Phase> phases) {
        return phases.stream().mapToDouble(Phase::seconds).sum();
    }
}
