package io.tidegate.connect.jsonb.field;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.value.ByteSlice;
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
     * column if no schema has its type. Documents without fields, and those that are not JSON, add none.
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

    /** A document that is refused later, because it is not JSON, has no say in the types. */
    private void add(Document document) {
        try {
            if (hasNew(document)) {
                typesOf(document).forEach((name, type) -> types.merge(name, type, FieldTypes::common));
            }
        } catch (RefusedException e) {
            // It is refused when it is written.
        }
    }

    private boolean hasNew(Document document) {
        boolean isFound = false;
        if (cursor.open(document.json())) {
            for (int member = 0; !isFound && places.next(cursor, member); member++) {
                isFound = isNew(document);
                cursor.skip();
            }
        }
        return isFound;
    }

    private boolean isNew(Document document) {
        return places.place() == FieldPlaces.NONE
                && isPossible(cursor.nameText())
                && (!cursor.isNull()
                        || FieldTypes.of(document.fields(), cursor.nameText()).isPresent());
    }

    private Map<String, String> typesOf(Document document) {
        Map<String, String> found = new LinkedHashMap<>();
        ByteSlice json = document.json();
        if (cursor.openChecked(json.array(), json.from(), json.to())) {
            for (int member = 0; places.next(cursor, member); member++) {
                if (isNew(document)) {
                    String name = cursor.nameText();
                    byte first = cursor.text()[cursor.valueFrom()];
                    found.put(name, FieldTypes.of(document.fields(), name).orElseGet(() -> FieldTypes.ofJson(first)));
                }
                cursor.skipChecked(Integer.MAX_VALUE);
            }
            cursor.end();
        }
        return found;
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
