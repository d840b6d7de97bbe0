package io.tidegate.connect.elasticsearch.client;

import static java.util.Objects.requireNonNull;

/**
 * An item of a bulk request that the server did not carry out as it was asked to.
 *
 * @param position of the item in the request, from 0
 * @param status the HTTP status of the item
 */
public record ItemFailure(int position, int status, ServerError error) {
    /** The type, which no server has, of a document in the failure store of its data stream: an item without an error. */
    public static final String FAILURE_STORE = "failure_store";

    public ItemFailure {
        requireNonNull(error, "error");
    }
}
