package io.tidegate.connect.common.spi;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.value.RefusedException;

/** One document that the server will never take, and why. */
public record Refusal(Document document, RefusedException reason) {
    public Refusal {
        requireNonNull(document, "document");
        requireNonNull(reason, "reason");
    }
}
