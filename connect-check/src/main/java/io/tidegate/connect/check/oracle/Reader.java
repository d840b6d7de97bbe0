package io.tidegate.connect.check.oracle;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidegate.connect.check.oracle.Promises.Identity;
import io.tidegate.connect.check.oracle.Promises.Newer;
import io.tidegate.connect.check.oracle.Promises.Nulls;
import io.tidegate.connect.check.oracle.Promises.ValueForm;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;

/** Reads a record as the promises say. */
final class Reader {
    private static final ObjectMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .enable(DeserializationFeature.USE_BIG_INTEGER_FOR_INTS)
            .build();
    private static final String PLACEHOLDER = "__debezium_unavailable_value";
    private static final int FRAME = 5;
    private static final int MOST_DIGITS = 131_072;

    private final Promises promises;
    private final Placement placement;
    private final Characters characters;

    Reader(Promises promises) {
        this.promises = promises;
        placement = new Placement(promises.destination());
        characters = new Characters(promises.reading().unstorable());
    }

    /** Thrown within this class only. */
    private static final class Refused extends Exception {
        private static final long serialVersionUID = 1L;

        Refused(String reason) {
            super(reason);
        }
    }

    Meaning read(LoggedRecord record) {
        if (promises.reading().converted() && isUnreadable(record)) {
            return new Meaning.Refuse("the converter cannot read it", Optional.empty(), true);
        }
        if (promises.reading()
                        .droppedHeader()
                        .filter(record.headers()::containsKey)
                        .isPresent()
                || (promises.reading().dropsNulls() && record.value().isEmpty())) {
            return new Meaning.Skip();
        }
        Optional<String> identity = Optional.empty();
        try {
            if (isSkippedEvent(record)) {
                return new Meaning.Skip();
            }
            String destination = placement.of(record).orElseThrow(() -> new Refused("no destination"));
            identity = identity(record, destination);
            Optional<JsonNode> document = value(record);
            Optional<String> key = key(record, document);
            identity = key.map(text -> destination + " " + text);
            if (document.isEmpty()) {
                return withoutValue(destination, key);
            }
            return new Meaning.Write(destination, key, checked(document.get()));
        } catch (Refused e) {
            return new Meaning.Refuse(e.getMessage(), identity, false);
        }
    }

    /** The identity of a record whatever its value is, if it has one. */
    private Optional<String> identity(LoggedRecord record, String destination) {
        try {
            return promises.identity() == Identity.FIELD || record.value().isEmpty()
                    ? Optional.empty()
                    : key(record, Optional.of(MissingNode.getInstance())).map(text -> destination + " " + text);
        } catch (Refused e) {
            return Optional.empty();
        }
    }

    /** Connect's converter reads a record before any transform does. */
    private static boolean isUnreadable(LoggedRecord record) {
        try {
            if (record.value().isPresent()) {
                parsed(LoggedRecord.utf8(record.value().get()).orElse(""));
            }
            return false;
        } catch (Refused e) {
            return true;
        }
    }

    /** Debezium sends a tombstone after each deletion: it says nothing new, and has no position. */
    private boolean isTombstoneOfEvents(LoggedRecord record) {
        return promises.reading().value() == ValueForm.DEBEZIUM
                && record.value().isEmpty();
    }

    private boolean isSkippedEvent(LoggedRecord record) throws Refused {
        if (isTombstoneOfEvents(record)) {
            return !promises.deletes()
                    || promises.newer() == Newer.BY_POSITION_OF_ROW
                    || promises.newer() == Newer.BY_POSITION;
        }
        if (promises.reading().value() != ValueForm.DEBEZIUM || record.value().isEmpty()) {
            return false;
        }
        boolean isTruncate = event(record).path("op").asText().equals("t");
        if (isTruncate && !promises.reading().truncatesAreSkipped()) {
            throw new Refused("the table was emptied");
        }
        return isTruncate;
    }

    private static JsonNode event(LoggedRecord record) throws Refused {
        JsonNode json = parsed(LoggedRecord.utf8(record.value().orElseThrow()).orElse(""));
        return json.has("payload") ? json.path("payload") : json;
    }

    /** The position of a change event in the source. */
    static long position(LoggedRecord record) {
        try {
            return event(record).path("source").path("lsn").asLong();
        } catch (Refused e) {
            throw new IllegalArgumentException("an event that is refused has no position", e);
        }
    }

    private Meaning withoutValue(String destination, Optional<String> id) throws Refused {
        if (promises.deletes()) {
            return new Meaning.Delete(destination, id.orElseThrow(() -> new Refused("a deletion without a key")));
        }
        if (promises.nulls() == Nulls.REFUSED) {
            throw new Refused("no value");
        }
        return new Meaning.Skip();
    }

    private Optional<String> key(LoggedRecord record, Optional<JsonNode> document) throws Refused {
        if (promises.identity() == Identity.COORDINATES) {
            return Optional.of(record.coordinates());
        }
        if (promises.identity() == Identity.FIELD) {
            if (document.isEmpty()) {
                return Optional.empty();
            }
            JsonNode field = document.get().path(promises.reading().identityField());
            if (!field.isTextual()) {
                throw new Refused("the identity is not in the document");
            }
            if (field.asText().getBytes(StandardCharsets.UTF_8).length
                    > promises.reading().longestKey()) {
                throw new Refused("the identity is too long");
            }
            return Optional.of(
                    characters.storable(field.asText()).orElseThrow(() -> new Refused("the identity's characters")));
        }
        if (!promises.reading().keyIsNeeded()) {
            return Optional.empty();
        }
        if (document.isEmpty()
                && !promises.deletes()
                && (promises.nulls() == Nulls.SKIPPED || isTombstoneOfEvents(record))) {
            return Optional.empty();
        }
        ByteBuffer bytes = record.key().orElseThrow(() -> new Refused("no key"));
        String text = LoggedRecord.utf8(bytes).orElseThrow(() -> new Refused("the key is not UTF-8"));
        if (promises.reading().value() == ValueForm.DEBEZIUM) {
            text = parsed(text).path("id").asText();
        }
        if (bytes.remaining() > promises.reading().longestKey()) {
            throw new Refused("the key is too long");
        }
        return Optional.of(characters.storable(text).orElseThrow(() -> new Refused("the key's characters")));
    }

    /** The document; empty for a deletion or a record without a value. */
    private Optional<JsonNode> value(LoggedRecord record) throws Refused {
        if (record.value().isEmpty()) {
            return Optional.empty();
        }
        ByteBuffer bytes = record.value().get().duplicate();
        if (promises.reading().value() == ValueForm.AVRO) {
            return Optional.of(AvroValues.read(bytes).orElseThrow(() -> new Refused("not Avro in a frame")));
        }
        if (promises.reading().framed() && bytes.remaining() > FRAME && bytes.get(bytes.position()) == 0) {
            bytes.position(bytes.position() + FRAME);
        }
        String text = characters.decoded(bytes).orElseThrow(() -> new Refused("not UTF-8"));
        JsonNode json = parsed(text);
        return switch (promises.reading().value()) {
            case JSON, AVRO -> Optional.of(json);
            case JSON_WITH_SCHEMA -> Optional.of(json.required("payload"));
            case DEBEZIUM -> afterChange(json);
        };
    }

    private static JsonNode parsed(String text) throws Refused {
        try {
            JsonNode json = JSON.readTree(text);
            if (json == null || json.isMissingNode()) {
                throw new Refused("empty");
            }
            return json;
        } catch (JsonProcessingException e) {
            throw new Refused("not JSON");
        }
    }

    private Optional<JsonNode> afterChange(JsonNode json) throws Refused {
        JsonNode event = json.has("payload") ? json.path("payload") : json;
        if (!event.has("op") || !event.has("after")) {
            throw new Refused("not a change event");
        }
        return event.path("op").asText().equals("d") ? Optional.empty() : Optional.of(available(event.path("after")));
    }

    private JsonNode available(JsonNode row) throws Refused {
        if (promises.reading().unavailable() == Promises.Unavailable.STORED) {
            return row;
        }
        ObjectNode left = row.deepCopy();
        for (Map.Entry<String, JsonNode> column : row.properties()) {
            if (column.getValue().asText().equals(PLACEHOLDER)) {
                if (promises.reading().unavailable() == Promises.Unavailable.REFUSED) {
                    throw new Refused("a value that is unavailable");
                }
                left.remove(column.getKey());
            }
        }
        return left;
    }

    /** The document as the store has it. */
    private JsonNode checked(JsonNode document) throws Refused {
        if (promises.reading().objectsOnly() && !document.isObject()) {
            throw new Refused("not an object");
        }
        for (String name : promises.reading().integerFields()) {
            JsonNode field = document.path(name);
            if (field.isObject() || (field.isTextual() && !field.asText().matches("-?\\d{1,9}"))) {
                throw new Refused("field " + name + " is not a number");
            }
        }
        for (String name : promises.reading().vectorFields()) {
            if (document.hasNonNull(name) && !isVector(document.path(name))) {
                throw new Refused("field " + name + " is no vector");
            }
        }
        if (promises.reading().unstorable() != Promises.Unstorable.STORED && hasHugeNumber(document)) {
            throw new Refused("a number beyond numeric");
        }
        JsonNode stored = characters.storable(document).orElseThrow(() -> new Refused("unstorable characters"));
        boolean merges = promises.writing() == Promises.Writing.MERGE; // then a null takes the place of a value
        return promises.reading().nullsAreMissing() && !merges ? StoredItem.withoutNulls(stored) : stored;
    }

    private static boolean isVector(JsonNode node) {
        return node.isArray()
                && node.size() == Promises.Reading.DIMENSIONS
                && node.valueStream().allMatch(JsonNode::isNumber);
    }

    private static boolean hasHugeNumber(JsonNode node) {
        if (node.isNumber()) {
            return node.decimalValue().precision() - node.decimalValue().scale() > MOST_DIGITS;
        }
        for (JsonNode child : node) {
            if (hasHugeNumber(child)) {
                return true;
            }
        }
        return false;
    }
}
