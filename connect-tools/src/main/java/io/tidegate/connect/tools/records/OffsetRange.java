package io.tidegate.connect.tools.records;

/**
 * Offsets of a partition.
 *
 * @param from the first
 * @param to the one after the last; not before {@code from}
 */
public record OffsetRange(long from, long to) {
    public OffsetRange {
        if (from < 0 || to < from) {
            throw new IllegalArgumentException("no range of offsets: " + from + " to " + to);
        }
    }

    /** How many offsets this is. There may be fewer records, as compaction and transactions leave gaps. */
    public long size() {
        return to - from;
    }

    /** The last offsets of this range, at most so many. */
    public OffsetRange last(long count) {
        return new OffsetRange(Math.max(from, to - count), to);
    }

    /** What is left of this range from an offset on. */
    public OffsetRange from(long offset) {
        return new OffsetRange(Math.min(to, Math.max(from, offset)), to);
    }
}
