package io.tidegate.connect.bench.store;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;

/** The request bodies of a bare client. Full ones are built before the measurement starts. Thread-safe. */
final class PreparedBodies {
    private final List<byte[]> values;
    private final Form form;
    private final List<byte[]> full = new ArrayList<>();

    /** Makes the body of one request from values. */
    interface Form {
        byte[] body(List<byte[]> values);
    }

    /** @param values the values, used in turn */
    PreparedBodies(List<byte[]> values, Form form) {
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
        return form.body(LongStream.range(from, from + rows)
                .mapToObj(number -> values.get((int) (number % values.size())))
                .toList());
    }
}
