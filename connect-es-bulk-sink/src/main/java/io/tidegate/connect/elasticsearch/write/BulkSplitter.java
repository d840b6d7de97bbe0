package io.tidegate.connect.elasticsearch.write;

import io.tidegate.connect.common.document.Document;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The parts of a batch that go to the server as one request each. Pure.
 *
 * <p>Where documents of one id do not replace each other no part holds an id twice: an item that fails is written again
 * later, and a later one of its id in the same request would be overwritten by it.
 *
 * @param rows most documents of a part, at least 1
 * @param bytes most bytes of JSON of a part; a larger document is sent alone
 * @param distinctIds whether no id may occur twice
 */
public record BulkSplitter(int rows, long bytes, boolean distinctIds) {
    private record Identity(String destination, ByteBuffer id) {}

    /** The end of the longest part that starts here. */
    public int endOfPart(List<Document> documents, int from) {
        Set<Identity> seen = new HashSet<>();
        long held = 0;
        int to = from;
        while (to < documents.size() && to - from < rows) {
            Document document = documents.get(to);
            held += document.json().length;
            boolean fits = to == from || held <= bytes;
            if (!fits || (distinctIds && !isNew(document, seen))) {
                return to;
            }
            to++;
        }
        return to;
    }

    private static boolean isNew(Document document, Set<Identity> seen) {
        return !document.hasKey() || seen.add(new Identity(document.destination(), ByteBuffer.wrap(document.key())));
    }
}
