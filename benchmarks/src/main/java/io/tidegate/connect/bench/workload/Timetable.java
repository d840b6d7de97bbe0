package io.tidegate.connect.bench.workload;

import java.time.Instant;
import java.util.List;

/**
 * Tells which record of a load is due next, and when. Times are microseconds since 1970. Only one thread uses it.
 */
public final class Timetable {
    private static final double MICROS = 1e6;

    /** Records that are late at the end of a phase may still be sent within this time before they are dropped. */
    private static final long GRACE_MICROS = 500_000;

    private final List<Phase> phases;
    private final Late late;
    private int phase;
    private long phaseStart;
    private long number;

    /** How records are handled that are not sent when their phase ends. */
    public enum Late {
        /** They are sent late. */
        SEND,
        /** They are never sent, so that the load ends even if its rate cannot be reached. */
        DROP
    }

    /**
     * Makes a timetable.
     *
     * @param phases the phases in order
     * @param startMicros the start of the first phase
     */
    public Timetable(List<Phase> phases, Late late, long startMicros) {
        this.phases = List.copyOf(phases);
        this.late = late;
        phaseStart = startMicros;
    }

    /** The current time, in microseconds since 1970. */
    public static long nowMicros() {
        Instant now = Instant.now();
        return now.getEpochSecond() * 1_000_000 + now.getNano() / 1000;
    }

    /** Whether no record is left. Also moves to the phase of the next record. */
    public boolean isOver(long nowMicros) {
        while (phase < phases.size() && isOver(phases.get(phase), nowMicros)) {
            phaseStart += micros(phases.get(phase).seconds());
            phase++;
            number = 0;
        }
        return phase == phases.size();
    }

    private boolean isOver(Phase current, long nowMicros) {
        long end = phaseStart + micros(current.seconds());
        if (current.isUnbounded()) {
            return nowMicros >= end;
        }
        return number >= current.records() || (late == Late.DROP && nowMicros >= end + GRACE_MICROS);
    }

    /** The time at which the next record is due; in an unbounded phase at once. Call {@link #isOver} before. */
    public long due(long nowMicros) {
        Phase current = phases.get(phase);
        return current.isUnbounded() ? Math.max(nowMicros, phaseStart) : phaseStart + micros(current.time(number));
    }

    /** The phase of the next record, from 0. */
    public int phase() {
        return phase;
    }

    /** Moves to the next record, after this one was sent. */
    public void next() {
        number++;
    }

    private static long micros(double seconds) {
        return Math.round(seconds * MICROS);
    }
}
