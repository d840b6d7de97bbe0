package io.tidegate.connect.elasticsearch.bulk;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.document.RecordFields;
import io.tidegate.connect.common.value.RefusedException;
import io.tidegate.connect.elasticsearch.settings.DestinationType;
import io.tidegate.connect.elasticsearch.settings.DocumentSettings;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;

/**
 * What the sink adds to documents: {@code @timestamp} and the metadata of their records, as the first members of the
 * object. The rest of the object keeps its bytes. Nothing is added before the object is checked, so no document can
 * change what is added. One lane's thread uses it.
 */
final class AddedMembers {
    private static final byte[] TIMESTAMP_NAME =
            ('"' + DocumentSettings.TIMESTAMP + "\":").getBytes(StandardCharsets.US_ASCII);
    private static final int NULL_LENGTH = 4;
    private static final int FIRST_CAPACITY = 256;

    private final RecordFields fields;
    private final boolean addsTimestamp;
    private final List<MetadataMembers> metadata; // one or none
    private final JsonLine line;
    private final ByteBuilder members = new ByteBuilder(FIRST_CAPACITY);

    AddedMembers(DocumentSettings settings, DestinationType type, RecordFields fields) {
        requireNonNull(settings, "settings");
        this.fields = requireNonNull(fields, "fields");
        this.addsTimestamp =
                type == DestinationType.DATA_STREAM || settings.eventTime().isSet();
        this.metadata = settings.metadata().isEmpty() ? List.of() : List.of(new MetadataMembers(settings.metadata()));
        this.line = new JsonLine(
                settings.metadata().stream()
                        .map(field -> field.path().get(0))
                        .distinct()
                        .toList(),
                addsTimestamp ? DocumentSettings.TIMESTAMP : "");
    }

    /**
     * Appends a document's JSON as one line, with what is added.
     *
     * @throws RefusedException when it is not a JSON object, has a member that would be added, or lacks a timestamp that
     *     it needs; the end of the target is then undefined
     */
    void append(Document document, ByteBuilder target) {
        int start = target.length();
        target.append(document.json());
        line.makeSafe(target.array(), start, target.length());
        line.reserved().ifPresent(name -> {
            throw new RefusedException("the document has the field `" + name + "`, which "
                    + DocumentSettings.METADATA_FIELDS + " would add; choose another name there");
        });
        members.clear();
        if (addsTimestamp) {
            addTimestamp(document, target);
        }
        metadata.forEach(added -> {
            separate();
            added.append(document, members);
        });
        if (members.length() > 0) {
            if (!isEmpty(target)) {
                members.append((byte) ',');
            }
            target.insert(line.opened(), members);
        }
    }

    private void addTimestamp(Document document, ByteBuilder target) {
        int value = line.hasSought() ? afterWhiteSpace(target, afterWhiteSpace(target, line.afterSought()) + 1) : 0;
        if (value > 0 && target.array()[value] != 'n') {
            return; // the document has one, and it is not null
        }
        if (value == 0) {
            members.append(TIMESTAMP_NAME);
        }
        members.append((byte) '"');
        members.append(timeOf(document).toString().getBytes(StandardCharsets.US_ASCII));
        members.append((byte) '"');
        if (value > 0) {
            target.replace(value, value + NULL_LENGTH, members);
            members.truncate(0);
        }
    }

    private Instant timeOf(Document document) {
        return fields.timeOf(document.record())
                .orElseThrow(() -> new RefusedException(
                        "the document needs @timestamp, and neither it nor its record has a timestamp"));
    }

    private void separate() {
        if (members.length() > 0) {
            members.append((byte) ',');
        }
    }

    private boolean isEmpty(ByteBuilder target) {
        return target.array()[afterWhiteSpace(target, line.opened())] == '}';
    }

    /** The object was checked: in it there is always something behind white space. */
    private static int afterWhiteSpace(ByteBuilder target, int from) {
        int at = from;
        while (target.array()[at] == ' ' || target.array()[at] == '\t') {
            at++;
        }
        return at;
    }
}
