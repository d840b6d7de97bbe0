package io.tidegate.connect.elasticsearch.bulk;

import io.tidegate.connect.common.document.ByteSlice;
import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.document.FieldReader;
import io.tidegate.connect.common.document.FieldValue;
import io.tidegate.connect.common.document.JsonPath;
import io.tidegate.connect.common.document.RefusedException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;

/**
 * Documents of a data stream: each needs a {@code @timestamp}. If a document has none, its record's timestamp becomes
 * the first field. If it is null there, the record's timestamp replaces the null. The other bytes stay unchanged.
 */
final class TimestampedJson {
    private static final FieldReader TIMESTAMP = new FieldReader(List.of(JsonPath.parse("$['@timestamp']")));
    private static final byte[] FIELD = "{\"@timestamp\":".getBytes(StandardCharsets.US_ASCII);

    private TimestampedJson() {}

    /**
     * Appends a document's JSON.
     *
     * @throws RefusedException when neither the document nor its record has a timestamp, or the document cannot be read
     */
    static void append(Document document, ByteBuilder target) {
        ByteSlice json = document.json();
        byte[] array = json.array();
        int open = afterWhiteSpace(json, json.from());
        boolean isObject = open < json.to() && array[open] == '{';
        if (!isObject) {
            target.append(json);
            return;
        }
        FieldValue present = TIMESTAMP.read(json).get(0);
        if (present.isPresent()) {
            target.append(json);
            return;
        }
        if (document.record().timestamp() == null) {
            throw new RefusedException(
                    "a document of a data stream needs @timestamp, and neither it nor its record has a" + " timestamp");
        }
        byte[] timestamp = ('"'
                        + Instant.ofEpochMilli(document.record().timestamp()).toString()
                        + '"')
                .getBytes(StandardCharsets.US_ASCII);
        if (present.kind() == FieldValue.Kind.NULL) {
            target.append(array, json.from(), present.json().from() - json.from());
            target.append(timestamp);
            target.append(array, present.json().to(), json.to() - present.json().to());
            return;
        }
        target.append(FIELD);
        target.append(timestamp);
        int first = afterWhiteSpace(json, open + 1);
        if (first < json.to() && array[first] != '}') {
            target.append((byte) ',');
        }
        target.append(array, open + 1, json.to() - open - 1);
    }

    private static int afterWhiteSpace(ByteSlice json, int from) {
        byte[] array = json.array();
        int at = from;
        while (at < json.to() && (array[at] == ' ' || array[at] == '\t' || array[at] == '\n' || array[at] == '\r')) {
            at++;
        }
        return at;
    }
}
