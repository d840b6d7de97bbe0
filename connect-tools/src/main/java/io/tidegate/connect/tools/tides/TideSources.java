package io.tidegate.connect.tools.tides;

import io.tidegate.connect.tools.ToolException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The sources that a user can ask for. */
public final class TideSources {
    private TideSources() {}

    /** Readings that the project predicts: without end, so only the limit stops them. */
    public static TideSource predicted() {
        return PredictedTides.fromSeattlesConstituents();
    }

    /**
     * The files one after the other. A file whose name ends in {@code .jsonl} or {@code .ndjson} holds JSON lines; for any
     * other the first field name decides: {@code metadata}, {@code data} or {@code error} begins a response of NOAA's
     * CO-OPS API, anything else JSON lines.
     *
     * @throws ToolException when a file cannot be opened
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
