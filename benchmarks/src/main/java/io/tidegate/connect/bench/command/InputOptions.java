package io.tidegate.connect.bench.command;

import io.tidegate.connect.bench.records.GatheredRecords;
import io.tidegate.connect.bench.records.Payloads;
import io.tidegate.connect.bench.records.RepeatedSource;
import io.tidegate.connect.bench.records.SizedRecords;
import io.tidegate.connect.bench.records.UniqueKeys;
import io.tidegate.connect.cli.ToolException;
import io.tidegate.connect.lab.tides.TideSource;
import io.tidegate.connect.lab.tides.TideSources;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The options that select the records. */
public final class InputOptions {
    private static final long DEFAULT_RECORDS = 500_000;
    private static final String NOAA = "noaa";
    private static final String PREDICTED = "predicted";

    @Option(
            names = "--records",
            paramLabel = "N",
            description = "Records in the topic; by default 500000, or all records of --input FILE. A smaller file is"
                    + " read again.")
    private Optional<Long> records = Optional.empty();

    @Option(
            names = "--record-bytes",
            paramLabel = "B",
            description = "The size of every value in bytes; by default values keep their size.")
    private Optional<Integer> recordBytes = Optional.empty();

    @Option(
            names = "--input",
            paramLabel = "FILE",
            description = "A file with a response of NOAA's CO-OPS API or JSON lines; or noaa (default), readings of"
                    + " Seattle's tide gauge, 203 bytes each; or predicted, tides of 239 stations, about 225 bytes"
                    + " each.")
    private String input = NOAA;

    @Option(
            names = "--document-bytes",
            paramLabel = "B",
            description = "Makes documents of about this size, each with as many records as fit. They compress like the"
                    + " records, while --record-bytes adds noise.")
    private Optional<Integer> documentBytes = Optional.empty();

    @Option(
            names = "--keys",
            paramLabel = "ORDER",
            description =
                    "The keys of the records: station (the default), or the numbers from 0 to --records, each once:"
                            + " rising, or in random order.")
    private Keys keys = Keys.STATION;

    /** The keys of the records. */
    enum Keys {
        STATION,
        RISING,
        RANDOM;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** The problem with the options, if there is one. */
    public Optional<String> problem() {
        if (records.orElse(1L) < 1) {
            return Optional.of("--records must be at least 1");
        }
        if (recordBytes.isPresent() && documentBytes.isPresent()) {
            return Optional.of("--record-bytes and --document-bytes exclude each other");
        }
        if (keys == Keys.RANDOM && limit() == Long.MAX_VALUE) {
            return Optional.of("--keys random needs --records");
        }
        int bytes = recordBytes.or(() -> documentBytes).orElse(Payloads.SMALLEST_BYTES);
        return bytes >= Payloads.SMALLEST_BYTES && bytes <= Payloads.LARGEST_BYTES
                ? Optional.empty()
                : Optional.of((recordBytes.isPresent() ? "--record-bytes" : "--document-bytes") + " must be "
                        + Payloads.SMALLEST_BYTES + " to " + Payloads.LARGEST_BYTES);
    }

    /** The maximum number of records to read from the {@link #source}. */
    public long limit() {
        return records.orElse(isFile() ? Long.MAX_VALUE : DEFAULT_RECORDS);
    }

    private boolean isFile() {
        return !input.equals(NOAA) && !input.equals(PREDICTED);
    }

    /**
     * The source of the records.
     *
     * @param root the folder of the checkout
     * @throws ToolException if a file cannot be opened
     */
    public TideSource source(Path root) throws ToolException {
        TideSource values = values(root);
        TideSource sized = recordBytes
                .<TideSource>map(bytes -> new SizedRecords(values, bytes))
                .or(() -> documentBytes.map(bytes -> new GatheredRecords(values, bytes)))
                .orElse(values);
        return keys == Keys.STATION ? sized : new UniqueKeys(sized, keys == Keys.RANDOM);
    }

    private TideSource values(Path root) throws ToolException {
        if (input.equals(PREDICTED)) {
            return TideSources.predicted();
        }
        TideSource file = TideSources.files(List.of(isFile() ? Path.of(input) : root.resolve(Payloads.READINGS)));
        return isFile() && records.isEmpty() ? file : new RepeatedSource(file);
    }

    /** Describes the input in the results. */
    public String description() {
        return input
                + recordBytes.map(bytes -> ", filled up to " + bytes + " bytes").orElse("")
                + documentBytes
                        .map(bytes -> ", gathered to about " + bytes + " bytes")
                        .orElse("")
                + (keys == Keys.STATION ? "" : ", " + keys + " keys");
    }
}
