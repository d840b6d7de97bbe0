package io.tidegate.connect.common.testing;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.spi.Failure;
import io.tidegate.connect.common.spi.Refusal;
import io.tidegate.connect.common.spi.WriteException;
import io.tidegate.connect.common.value.RefusedException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Attempts for some of whose destinations the server accepts nothing. */
public final class Blocked {
    private Blocked() {}

    /**
     * The failure of such an attempt.
     *
     * @param reasons by destination
     * @param unwritten for these destinations, or not tried
     */
    public static WriteException of(
            Map<String, String> reasons, String message, List<Document> unwritten, List<Refusal> refusals) {
        List<Refusal> named = new ArrayList<>(refusals);
        for (Document document : unwritten) {
            Optional.ofNullable(reasons.get(document.destination()))
                    .map(reason -> new Refusal(
                            document, Failure.DESTINATION, List.of(), RefusedException.of("blocked", reason)))
                    .ifPresent(named::add);
        }
        return WriteException.ofSome(Failure.DESTINATION, message, null, unwritten, named, Optional.empty());
    }
}
