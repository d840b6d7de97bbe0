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
    private final Set<String> ofNoObject;
    private final JsonCursor cursor = new JsonCursor();
    private final Map<Set<String>, Set<String>> seen = new HashMap<>();

    /**
     * Of these fields.
     *
     * @param ofNoObject those of them that a document lacks which is no object
     */
    public MissingFields(List<String> names, List<String> ofNoObject) {
        this.names = List.copyOf(names);
        this.ofNoObject = Set.copyOf(ofNoObject);
    }

    /** Whether there are no such fields. */
    public boolean isNone() {
        return names.isEmpty();
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
            } else {
                return ofNoObject;
            }
        } catch (RefusedException e) {
            return Set.of(); // it is refused when it is written
        }
        return seen.computeIfAbsent(new HashSet<>(missing), Set::copyOf);
    }
}
