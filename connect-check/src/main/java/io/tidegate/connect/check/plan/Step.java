package io.tidegate.connect.check.plan;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;

/**
 * Either records that are sent, or something that happens.
 *
 * @param happening its name, empty if records are sent
 * @param choice decides what the happening leaves open
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record Step(List<PlannedRecord> send, String happening, long choice) {
    public Step {
        send = send == null ? List.of() : List.copyOf(send);
        happening = happening == null ? "" : happening;
    }

    public static Step send(List<PlannedRecord> records) {
        return new Step(records, "", 0);
    }

    public static Step happen(String name, long choice) {
        return new Step(List.of(), name, choice);
    }
}
