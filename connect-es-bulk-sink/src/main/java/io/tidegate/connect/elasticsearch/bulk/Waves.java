package io.tidegate.connect.elasticsearch.bulk;

import io.tidegate.connect.common.document.Document;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Parts of a batch in which no id occurs twice. An item that fails is written again later: were another one of the same
 * id in the same request, it would have overtaken it. Pure.
 */
public final class Waves {
    private Waves() {}

    private record Identity(String destination, ByteBuffer id) {}

    /** The end of the longest part that starts here and holds no id twice. */
    public static int endOfWave(List<Document> documents, int from) {
        Set<Identity> seen = new HashSet<>();
        int to = from;
        while (to < documents.size() && isNew(documents.get(to), seen)) {
            to++;
        }
        return to;
    }

    private static boolean isNew(Document document, Set<Identity> seen) {
        return !document.hasKey() || seen.add(new Identity(document.destination(), ByteBuffer.wrap(document.key())));
    }
}
