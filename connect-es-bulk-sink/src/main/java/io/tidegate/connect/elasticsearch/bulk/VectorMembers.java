package io.tidegate.connect.elasticsearch.bulk;

import io.tidegate.connect.common.value.ByteSlice;
import io.tidegate.connect.common.value.JsonCursor;
import io.tidegate.connect.common.value.VectorText;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.Set;

/**
 * Replaces vectors by Base64: the floats of each, in the order of the network. What is no array of numbers stays as it
 * is, and the server decides. Source: Elasticsearch's reference, "Dense vector field type". One lane's thread uses it.
 */
final class VectorMembers {
    private final JsonCursor cursor = new JsonCursor();
    private final VectorText vector = new VectorText();
    private final ByteBuilder base64 = new ByteBuilder(0);

    /**
     * Replaces the vectors of the object at the end of the buffer, which is checked.
     *
     * @param start where it begins
     * @return whether there were any
     */
    boolean encode(ByteBuilder target, int start, Set<String> fields) {
        int at = start;
        int encoded = 0;
        while (encoded < fields.size() && at >= 0) {
            at = encodeFirst(target, start, at, fields);
            encoded += at >= 0 ? 1 : 0;
        }
        return encoded > 0;
    }

    /**
     * Replaces the first vector behind a place.
     *
     * @return where it ends; negative if there is none
     */
    private int encodeFirst(ByteBuilder target, int start, int behind, Set<String> fields) {
        cursor.open(ByteSlice.of(target.array(), start, target.length()));
        while (cursor.next()) {
            int from = cursor.valueFrom();
            boolean isSought = from > behind && target.array()[from] == '[' && fields.contains(cursor.nameText());
            int end = isSought ? vector.readFirst(target.array(), from, target.length()) : -1;
            if (end > 0 && Float.isFinite(squareOfLength())) {
                putBase64();
                target.replace(from, end, base64);
                return from;
            }
            cursor.skip();
        }
        return -1;
    }

    /** If it is not finite, the server refuses the array, but not always the Base64 (seen with 9.5.3). */
    private float squareOfLength() {
        float square = 0;
        for (int i = 0; i < vector.size(); i++) {
            square += vector.get(i) * vector.get(i);
        }
        return square;
    }

    private void putBase64() {
        ByteBuffer floats = ByteBuffer.allocate(vector.size() * Float.BYTES);
        for (int i = 0; i < vector.size(); i++) {
            floats.putFloat(vector.get(i));
        }
        base64.clear();
        base64.append((byte) '"');
        base64.append(Base64.getEncoder().encode(floats.array()));
        base64.append((byte) '"');
    }
}
