package io.tidegate.connect.common.value;

import io.tidegate.connect.common.value.FieldValue.Kind;
import io.tidegate.connect.common.value.JsonPath.Element;
import io.tidegate.connect.common.value.JsonPath.Field;
import io.tidegate.connect.common.value.JsonPath.Step;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * Reads a few values of a JSON document in one pass. It skips all other values, of which it checks no more than it needs
 * to find their ends, does not read beyond the last requested value, and builds no tree. If a path occurs more than
 * once, the first value counts. One thread.
 */
public final class FieldReader {
    private final List<JsonPath> paths;
    private final Branch root = new Branch(new Element(0)); // no step leads to it
    private final JsonCursor cursor = new JsonCursor();
    private FieldValue[] values = {};
    private int missing;

    /**
     * A reader of these values.
     *
     * @param paths at least one, each once
     */
    public FieldReader(List<JsonPath> paths) {
        this.paths = List.copyOf(paths);
        if (this.paths.isEmpty()) {
            throw new IllegalArgumentException("there is nothing to read");
        }
        for (int slot = 0; slot < this.paths.size(); slot++) {
            Branch branch = root;
            for (Step step : this.paths.get(slot).steps()) {
                branch = branch.child(step);
            }
            if (branch.slot != Branch.NO_SLOT) {
                throw new IllegalArgumentException(paths.get(slot) + " is named twice");
            }
            branch.slot = slot;
        }
    }

    /** In the order of the values that {@link #read} returns. */
    public List<JsonPath> paths() {
        return paths;
    }

    /**
     * The values of a document, in the order of {@link #paths()}. They share the document's bytes.
     *
     * @param json in UTF-8; what follows the last requested value is not checked
     * @throws RefusedException when it is not JSON up to there
     */
    public List<FieldValue> read(ByteSlice json) {
        values = new FieldValue[paths.size()];
        Arrays.fill(values, FieldValue.MISSING);
        missing = values.length;
        cursor.start(json);
        if (cursor.isAtEnd()) {
            throw new RefusedException("the value is empty, and that is not JSON");
        }
        read(root);
        return Collections.unmodifiableList(Arrays.asList(values));
    }

    /** Reads the current value to its end, or to the last requested value. */
    private void read(Branch branch) {
        int from = cursor.valueFrom();
        boolean isWanted = branch.slot != Branch.NO_SLOT && values[branch.slot] == FieldValue.MISSING;
        if (!branch.isLeaf() && cursor.isObject()) {
            readFields(branch);
        } else if (!branch.isLeaf() && cursor.isArray()) {
            readElements(branch);
        } else if (!isWanted) {
            cursor.skip();
        }
        if (isWanted) {
            values[branch.slot] = value(cursor.takeFrom(from));
            missing--;
        }
    }

    private void readFields(Branch branch) {
        cursor.enter();
        while (missing > 0 && cursor.next()) {
            readOrSkip(branch.fieldAt(cursor));
        }
    }

    private void readElements(Branch branch) {
        cursor.enter();
        for (int i = 0; missing > 0 && cursor.nextElement(); i++) {
            readOrSkip(branch.elementAt(i));
        }
    }

    private void readOrSkip(Branch child) {
        if (child == null) {
            cursor.skip();
        } else {
            read(child);
        }
    }

    private static FieldValue value(ByteSlice json) {
        byte first = json.array()[json.from()];
        if (first == '"') {
            return FieldValue.string(JsonText.of(json), json);
        }
        Kind kind =
                switch (first) {
                    case '{' -> Kind.OBJECT;
                    case '[' -> Kind.ARRAY;
                    case 't', 'f' -> Kind.BOOLEAN;
                    case 'n' -> Kind.NULL;
                    default -> Kind.NUMBER;
                };
        return FieldValue.of(kind, json);
    }

    /** The paths as a tree; only the reader's constructor changes it. */
    private static final class Branch {
        static final int NO_SLOT = -1;

        private final Step step; // down to here
        private final byte[] name;
        private final List<Branch> children = new ArrayList<>();
        int slot = NO_SLOT; // the index of the value at this place

        Branch(Step step) {
            this.step = step;
            this.name = Utf8.encode(step.text());
        }

        Branch child(Step next) {
            for (Branch child : children) {
                if (child.step.equals(next)) {
                    return child;
                }
            }
            children.add(new Branch(next));
            return children.get(children.size() - 1);
        }

        boolean isLeaf() {
            return children.isEmpty();
        }

        /** The child for the member where the cursor is, or null. */
        Branch fieldAt(JsonCursor cursor) {
            for (Branch child : children) {
                if (child.step instanceof Field field
                        && (cursor.isNameEscaped()
                                ? field.name().equals(cursor.nameText())
                                : cursor.isNamed(child.name))) {
                    return child;
                }
            }
            return null;
        }

        /** The child for an element of an array, or null. */
        Branch elementAt(int index) {
            for (Branch child : children) {
                if (child.step instanceof Element element && element.index() == index) {
                    return child;
                }
            }
            return null;
        }
    }
}
