package io.tidegate.connect.jsonb.field;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.value.JsonCursor;
import io.tidegate.connect.common.value.RefusedException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Finds which of some fields a document does not have. One thread. */
public final class MissingFields {
    private final List<String> names;
    private final boolean ofObjectsOnly;
    private final JsonCursor cursor = new JsonCursor();
    private final Map<Set<String>, Set<String>> seen = new HashMap<>();

    /**
     * Of these fields.
     *
     * @param ofObjectsOnly whether a document that is no object lacks none of them
     */
    public MissingFields(List<String> names, boolean ofObjectsOnly) {
        this.names = List.copyOf(names);
        this.ofObjectsOnly = ofObjectsOnly;
    }

    /** Those of the fields that are not in the document. None of a deletion, or of what is not JSON. */
    public Set<String> of(Document document) {
        if (document.isDelete()) {
            return Set.of();
        }
        List<String> missing = new ArrayList<>(names);
        try {
            if (cursor.open(document.json())) {
                while (cursor.next()) {
                    missing.remove(cursor.nameText());
                    cursor.skip();
                }
            } else if (ofObjectsOnly) {
                return Set.of();
            }
        } catch (RefusedException e) {
            return Set.of(); // it is refused when it is written
        }
        return seen.computeIfAbsent(new HashSet<>(missing), Set::copyOf);
    }
}
