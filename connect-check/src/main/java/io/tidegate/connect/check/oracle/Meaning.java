package io.tidegate.connect.check.oracle;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;

/** What a record is for the sink. */
sealed interface Meaning {
    /** Destination and id, if the record has both. */
    Optional<String> identity();

    /** A document to write. */
    record Write(String destination, Optional<String> id, JsonNode document) implements Meaning {
        @Override
        public Optional<String> identity() {
            return id.map(text -> destination + " " + text);
        }
    }

    /** The row or document with this identity is to be deleted. */
    record Delete(String destination, String id) implements Meaning {
        @Override
        public Optional<String> identity() {
            return Optional.of(destination + " " + id);
        }
    }

    /** Nothing is to be done. */
    record Skip() implements Meaning {
        @Override
        public Optional<String> identity() {
            return Optional.empty();
        }
    }

    /**
     * It can never be written.
     *
     * @param identity destination and id, if the record has them, although it is refused
     * @param byConverter whether Connect refuses it before the sink sees it
     */
    record Refuse(String reason, Optional<String> identity, boolean byConverter) implements Meaning {}
}
