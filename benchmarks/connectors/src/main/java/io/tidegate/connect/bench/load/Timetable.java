package io.tidegate.connect.bench.load;

import java.time.Instant;
import java.util.List;

/**
 * Which record is due next, and when: all records of a load, or one of several parts that are sent side by side. Times are
 * microseconds since 1970. One thread.
 */
public final class Timetable {
    private static final double MICROS = 1e6;

    /** Of the last records of a phase, before they are dropped: a moment more or less is no sign of anything. */
    private static final long GRACE_MICROS = 500_000;

    private final List<Phase> phases;
    private final int part;
    private final int parts;
    private final Late late;
    private int phase;
    private long phaseStart;
    private long number;

    /** What becomes of records that are not sent when their phase is over. */
    public enum Late {
        /** They are sent, late: nothing is left out. */
        SEND,
        /** They are never sent, so that a rate that cannot be reached does not take for ever. */
        DROP
    }

    /**
     * A timetable at its begin.
     *
     * @param phases one after the other
     * @param startMicros when the first begins
     * @param part from 0, whose records these are
     * @param parts among how many the records are dealt out
     */
    public Timetable(List<Phase> phases, Late late, long startMicros, int part, int parts) {
        this.phases = List.copyOf(phases);
        this.late = late;
        this.part = part;
        this.parts = parts;
        phaseStart = startMicros;
        number = part;
    }

    /** The clock of all times here. */
    public static long nowMicros() {
        Instant now = Instant.now();
        return now.getEpochSecond() * 1_000_000 + now.getNano() / 1000;
    }

    /** Whether no record is left; moves on to the phase that the next record is of. */
    public boolean isOver(long nowMicros) {
        while (phase < phases.size() && isOver(phases.get(phase), nowMicros)) {
            phaseStart += micros(phases.get(phase).seconds());
            phase++;
            number = part;
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

    /** When the next record is due, unless all {@link #isOver}: in an unbounded phase at once. */
    public long due(long nowMicros) {
        Phase current = phases.get(phase);
        return current.isUnbounded() ? Math.max(nowMicros, phaseStart) : phaseStart + micros(current.time(number));
    }

    /** The phase of the next record, from 0. */
    public int phase() {
        return phase;
    }

    /** The record has been sent. */
    public void next() {
        number += parts;
    }

    private static long micros(double seconds) {
        return Math.round(seconds * MICROS);
    }
}
