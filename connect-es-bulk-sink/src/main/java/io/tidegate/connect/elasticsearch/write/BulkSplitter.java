package io.tidegate.connect.elasticsearch.write;

import io.tidegate.connect.common.document.Document;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Splits a batch into parts that go to the server as one request each. Pure.
 *
 * <p>The server carries out the items of one id in the order of the request, because they belong to one shard. But the
 * first may fail and the second succeed. The first is then written again later, after the second. If documents are
 * merged, both are written again in order, which gives the right result. If the first document of an id counts
 * ({@code write.method=create}), nothing corrects this order. Then no part contains an id twice.
 *
 * @param rows most documents of a part, at least 1
 * @param bytes most bytes of JSON of a part; a larger document is sent alone
 * @param distinctIds whether no id may occur twice
 */
public record BulkSplitter(int rows, long bytes, boolean distinctIds) {
    /** Equality of ids within a destination. */
    record Identity(String destination, ByteBuffer id) {
        static Identity of(Document document) {
            return new Identity(document.destination(), ByteBuffer.wrap(document.key()));
        }
    }

    /** The end index of the longest part that starts here. */
    public int endOfPart(List<Document> documents, int from) {
        Set<Identity> seen = new HashSet<>();
        long held = 0;
        int to = from;
        while (to < documents.size() && to - from < rows) {
            Document document = documents.get(to);
            held += document.json().length();
            boolean fits = to == from || held <= bytes;
            if (!fits || (distinctIds && !isNew(document, seen))) {
                return to;
            }
            to++;
        }
        return to;
    }

    private static boolean isNew(Document document, Set<Identity> seen) {
        return !document.hasKey() || seen.add(Identity.of(document));
    }
}
