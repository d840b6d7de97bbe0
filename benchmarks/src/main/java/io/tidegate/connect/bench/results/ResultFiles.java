package io.tidegate.connect.bench.results;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.tidegate.connect.cli.Interruption;
import io.tidegate.connect.cli.ToolException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Reads and writes the files of a result folder. Each is replaced atomically: Ctrl-C leaves no partial file. */
public final class ResultFiles {
    private static final ObjectMapper JSON = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    private final Path folder;

    public ResultFiles(Path folder) {
        this.folder = folder;
    }

    /**
     * Writes the results, also as CSV, and their page.
     *
     * @param html the page that shows the results
     */
    public void write(Results results, String html) throws ToolException {
        Interruption.defer(() -> {
            write(results);
            replace("results.csv", csv(results));
            replace("report.html", html);
        });
    }

    /** Writes only the {@code results.json}. */
    public void write(Results results) throws ToolException {
        try {
            replace("results.json", JSON.writeValueAsString(results) + "\n");
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Whether the folder holds results. */
    public boolean exist() {
        return Files.exists(json());
    }

    private Path json() {
        return folder.resolve("results.json");
    }

    /**
     * Reads the results of a folder.
     *
     * @throws ToolException if there are none, or if their format is newer
     */
    public Results read() throws ToolException {
        Path file = json();
        try {
            Results results = JSON.readValue(Files.readString(file), Results.class);
            if (results.format() > Results.FORMAT) {
                throw new ToolException(
                        file + " has format " + results.format() + "; this version reads up to " + Results.FORMAT);
            }
            return results;
        } catch (NoSuchFileException e) {
            throw new ToolException("there is no " + file, e);
        } catch (JsonProcessingException e) {
            throw new ToolException(file + " is not a benchmark's results.json: " + e.getOriginalMessage(), e);
        } catch (IOException e) {
            throw new ToolException("cannot read " + file + ": " + e.getMessage(), e);
        }
    }

    private void replace(String name, String text) throws ToolException {
        Path fresh = folder.resolve(name + ".new");
        try {
            Files.createDirectories(folder);
            Files.writeString(fresh, text);
            Files.move(
                    fresh, folder.resolve(name), StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new ToolException("cannot write to " + folder + ": " + e.getMessage(), e);
        }
    }

    static String csv(Results results) {
        StringBuilder csv = new StringBuilder("entrant,round,outcome,noisy,complete");
        for (Measure measure : Measure.values()) {
            csv.append(',').append(measure.key());
        }
        for (Run run : results.runs()) {
            csv.append('\n').append(quoted(run.entrant())).append(',').append(run.round());
            csv.append(',').append(quoted(run.outcome())).append(',').append(run.noisy());
            csv.append(',').append(results.complete());
            for (Measure measure : Measure.values()) {
                csv.append(',')
                        .append(run.measure(measure)
                                .map(figure -> Figures.format("%.3f", figure))
                                .orElse(""));
            }
        }
        return csv.append('\n').toString();
    }

    /** Quotes a text for CSV, see RFC 4180. */
    private static String quoted(String text) {
        return "\"" + text.replace("\"", "\"\"") + "\"";
    }
}
