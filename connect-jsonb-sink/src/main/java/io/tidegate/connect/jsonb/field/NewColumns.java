package io.tidegate.connect.jsonb.field;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.value.JsonCursor;
import io.tidegate.connect.common.value.RefusedException;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The fields of documents that have no column, but could have one. */
public final class NewColumns {
    /** {@code NAMEDATALEN} - 1. PostgreSQL cuts longer names. */
    private static final int MOST_BYTES = 63;

    /** Columns that each table has. Source: PostgreSQL documentation, "System Columns". */
    private static final Set<String> OF_SYSTEM = Set.of("tableoid", "xmin", "cmin", "xmax", "cmax", "ctid");

    private final FieldPlaces places;
    private final JsonCursor cursor = new JsonCursor();
    private final Map<String, String> types = new LinkedHashMap<>();

    private NewColumns(Collection<String> known) {
        this.places = new FieldPlaces(List.copyOf(known), Set.of());
    }

    /**
     * The types of new columns by their names, in the order in which the fields come. A field that is always null gets no
     * column, because its type is not known. Documents without fields, and those that are not JSON, add none.
     *
     * @param known names of fields that need no column
     */
    public static Map<String, String> of(Collection<String> known, List<Document> documents) {
        NewColumns columns = new NewColumns(known);
        for (Document document : documents) {
            if (!document.isDelete()) {
                columns.add(document);
            }
        }
        return columns.types;
    }

    private void add(Document document) {
        try {
            if (cursor.open(document.json())) {
                for (int member = 0; places.next(cursor, member); member++) {
                    if (places.place() == FieldPlaces.NONE && !cursor.isNull()) {
                        add(document, cursor.nameText());
                    }
                    cursor.skip();
                }
            }
        } catch (RefusedException e) {
            // It is refused when it is written.
        }
    }

    private void add(Document document, String name) {
        if (isPossible(name)) {
            byte first = cursor.text()[cursor.valueFrom()];
            String type =
                    FieldTypes.of(document.record().valueSchema(), name).orElseGet(() -> FieldTypes.ofJson(first));
            types.merge(name, type, FieldTypes::common);
        }
    }

    /** Whether a column can have the name of the field. */
    private static boolean isPossible(String name) {
        byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
        return bytes.length > 0
                && bytes.length <= MOST_BYTES
                && name.indexOf('\0') < 0
                && new String(bytes, StandardCharsets.UTF_8).equals(name) // no half of a surrogate pair
                && !OF_SYSTEM.contains(name);
    }
}
