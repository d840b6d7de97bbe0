package io.tidegate.connect.common.document;

import java.nio.ByteBuffer;

/** What identifies a row or document of a server: its destination, and its key there. */
public record Identity(String destination, ByteBuffer key) {
    /** The identity of a document that has a key. */
    public static Identity of(Document document) {
        return new Identity(document.destination(), ByteBuffer.wrap(document.key()));
    }
}
