package io.tidegate.connect.elasticsearch.client;

import static java.util.Objects.requireNonNull;

/**
 * An item of a bulk request that the server did not carry out.
 *
 * @param position of the item in the request, from 0
 * @param status the HTTP status of the item
 */
public record ItemFailure(int position, int status, ServerError error) {
    public ItemFailure {
        requireNonNull(error, "error");
    }
}
