package io.tidegate.connect.bench.store;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.LongStream;

/** The request bodies of a raw client. Full ones are built before the measurement starts. Thread-safe. */
final class PreparedBodies {
    private final List<byte[]> values;
    private final Function<List<byte[]>, byte[]> form;
    private final List<byte[]> full = new ArrayList<>();

    /**
     * Builds the full bodies.
     *
     * @param values the values, used in turn
     * @param form makes the body of one request from values
     */
    PreparedBodies(List<byte[]> values, Function<List<byte[]>, byte[]> form) {
        this.values = List.copyOf(values);
        this.form = form;
        for (int from = 0; from + RawWriter.BATCH <= values.size(); from += RawWriter.BATCH) {
            full.add(build(from, RawWriter.BATCH));
        }
    }

    /**
     * The body of one request.
     *
     * @param from the number of the first record
     * @param rows up to {@link RawWriter#BATCH}
     */
    byte[] body(long from, int rows) {
        return rows == RawWriter.BATCH && !full.isEmpty()
                ? full.get((int) (from / RawWriter.BATCH % full.size()))
                : build(from, rows);
    }

    private byte[] build(long from, int rows) {
        return form.apply(LongStream.range(from, from + rows)
                .mapToObj(number -> values.get((int) (number % values.size())))
                .toList());
    }
}
