package io.tidegate.connect.elasticsearch.write;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.elasticsearch.client.RequestFailure;
import java.util.List;

/** Sends what a lane's writer has put into its body. One thread uses it. */
@FunctionalInterface
public interface Sender {
    /**
     * Sends one request.
     *
     * @param sent the documents of the body, in their order
     * @return the documents that the server did not write where they were to go
     * @throws RequestFailure when the whole request failed
     */
    List<Judged> send(List<Document> sent) throws RequestFailure;
}
