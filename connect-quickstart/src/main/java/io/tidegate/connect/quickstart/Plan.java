package io.tidegate.connect.quickstart;

import io.tidegate.connect.cli.ToolException;
import io.tidegate.connect.lab.tides.TideSource;
import io.tidegate.connect.lab.tides.TideSources;
import io.tidegate.connect.quickstart.view.Sink;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * What to run. The input has been read once completely, so it is known to be valid before any server starts.
 *
 * @param records the number of records in the source
 * @param tasks the tasks of each connector; if absent, as in the connector's file
 */
record Plan(TideSource source, long records, OptionalInt tasks, List<Sink> sinks, boolean exit) {
    static final String TOPIC = "tides";

    private static final int MIN_PARTITIONS = 4;
    private static final long DEFAULT_RECORDS = 100_000;

    static Plan of(List<Path> input, OptionalLong records, OptionalInt tasks, List<Sink> sinks, boolean exit)
            throws ToolException, InterruptedException {
        if (input.isEmpty()) {
            return new Plan(TideSources.predicted(), records.orElse(DEFAULT_RECORDS), tasks, sinks, exit);
        }
        TideSource source = TideSources.files(input);
        long found = source.stream(records.orElse(Long.MAX_VALUE), (key, value) -> {});
        if (found == 0) {
            throw new ToolException(input.get(0) + ": contains no record");
        }
        return new Plan(source, found, tasks, sinks, exit);
    }

    int partitions() {
        return Math.max(MIN_PARTITIONS, tasks.orElse(0));
    }
}
