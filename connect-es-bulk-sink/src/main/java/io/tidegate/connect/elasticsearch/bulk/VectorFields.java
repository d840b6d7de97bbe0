package io.tidegate.connect.elasticsearch.bulk;

import java.util.Set;

/** The fields at the top of a document that an index takes as vectors in Base64. */
public interface VectorFields {
    /** For documents that are sent as they are. */
    VectorFields NONE = index -> Set.of();

    /**
     * The fields of an index, alias or data stream.
     *
     * @return empty if none is known
     */
    Set<String> of(String index);
}
