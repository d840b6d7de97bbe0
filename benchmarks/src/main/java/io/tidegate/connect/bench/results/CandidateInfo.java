package io.tidegate.connect.bench.results;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.Map;

/**
 * One of the things compared.
 *
 * @param kind {@code connector}, {@code floor} or {@code ceiling}
 * @param store {@code postgresql}, {@code elasticsearch} or {@code none}
 * @param config the connector's, as it was posted; secrets are references
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
