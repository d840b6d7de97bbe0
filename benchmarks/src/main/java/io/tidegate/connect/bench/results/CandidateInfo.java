package io.tidegate.connect.bench.results;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.Map;

/**
 * One of the compared candidates. In {@code results.json} it is called an entrant.
 *
 * @param kind {@code connector}, {@code no-op-sink}, {@code raw-client} or {@code micro}
 * @param store {@code postgresql}, {@code elasticsearch} or {@code none}
 * @param config the connector's configuration as it was posted to the worker; secrets are only references
 */
public record CandidateInfo(String label, String kind, String store, int tasks, Map<String, String> config) {
    @JsonIgnore
    public boolean isConnector() {
        return kind.equals("connector");
    }

    /** The label without the number of tasks. */
    public String family() {
        return label.replaceFirst(", \\d+ \\w+$", "");
    }
}
