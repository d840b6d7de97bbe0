package io.tidegate.connect.lab.tides;

import io.tidegate.connect.cli.ToolException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The sources that a user can choose. */
public final class TideSources {
    private TideSources() {}

    /** Predicted readings. The source has no end; only the limit stops it. */
    public static TideSource predicted() {
        return PredictedTides.fromSeattlesConstituents();
    }

    /**
     * Streams the files in this order. A file whose name ends in {@code .jsonl} or {@code .ndjson} contains JSON lines.
     * In any other file, the first field name decides: {@code metadata}, {@code data} or {@code error} means a response
     * of NOAA's CO-OPS API, anything else means JSON lines.
     *
     * @throws ToolException if a file cannot be opened
     */
    public static TideSource files(List<Path> files) throws ToolException {
        List<TideSource> sources = new ArrayList<>();
        for (Path file : files) {
            sources.add(
                    TideFile.isNoaaResponse(file) ? new NoaaResponse(file, TideStations.all()) : new JsonLines(file));
        }
        return new Concatenated(List.copyOf(sources));
    }

    private record Concatenated(List<TideSource> sources) implements TideSource {
        @Override
        public long stream(long limit, Receiver receiver) throws ToolException, InterruptedException {
            long streamed = 0;
            for (TideSource source : sources) {
                streamed += source.stream(limit - streamed, receiver);
            }
            return streamed;
        }
    }
}
