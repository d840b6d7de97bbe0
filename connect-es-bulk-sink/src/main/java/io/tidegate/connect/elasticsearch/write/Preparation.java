package io.tidegate.connect.elasticsearch.write;

import io.tidegate.connect.elasticsearch.client.ElasticsearchSession;
import io.tidegate.connect.elasticsearch.client.RequestFailure;
import java.util.Set;

/** Makes what must exist before documents are written. Any lane's thread. */
@FunctionalInterface
public interface Preparation {
    /** Makes sure that these destinations can be written to as the settings want them; asks the server at most once. */
    void prepare(Set<String> destinations, ElasticsearchSession calls) throws RequestFailure;
}
