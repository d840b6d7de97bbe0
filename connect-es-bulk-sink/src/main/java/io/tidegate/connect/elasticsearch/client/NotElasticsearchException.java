package io.tidegate.connect.elasticsearch.client;

import java.io.IOException;

/** Something answered that does not say it is Elasticsearch. */
public final class NotElasticsearchException extends IOException {
    private static final long serialVersionUID = 1L;

    NotElasticsearchException(String message, Throwable cause) {
        super(message, cause);
    }
}
