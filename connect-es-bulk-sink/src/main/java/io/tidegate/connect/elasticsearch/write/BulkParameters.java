package io.tidegate.connect.elasticsearch.write;

import io.tidegate.connect.elasticsearch.bulk.BulkResponse;
import io.tidegate.connect.elasticsearch.client.Server;
import io.tidegate.connect.elasticsearch.settings.ConnectionSettings;
import io.tidegate.connect.elasticsearch.settings.DestinationType;
import io.tidegate.connect.elasticsearch.settings.IndexSettings;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** What a bulk request says beside its body. Immutable. */
public final class BulkParameters {
    /**
     * How long the server may wait for a primary shard or a new index before it answers for all items of a request. Its own
     * default is a minute, in which one red index holds up every other. What came too late for is written again.
     */
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(5);

    /** So that the answer still arrives, and the request does not count as slow. */
    private static final int PART_OF_READ_TIMEOUT = 8;

    /** Where it has waited before: a primary shard is there, or it is not. */
    private static final Duration SHORT_WAIT = Duration.ofMillis(100);

    private static final String TIMEOUT = "timeout";

    private final Map<String, String> parameters = new HashMap<>();

    public BulkParameters(IndexSettings index, ConnectionSettings connection) {
        Duration part = connection.readTimeout().dividedBy(PART_OF_READ_TIMEOUT);
        parameters.put("filter_path", BulkResponse.FILTER_PATH);
        parameters.put(TIMEOUT, millis(part.compareTo(LONGEST_WAIT) < 0 ? part : LONGEST_WAIT));
        parameters.putAll(index.type().parameters());
        index.pipeline().ifPresent(name -> parameters.put("pipeline", name));
    }

    private static String millis(Duration duration) {
        return duration.toMillis() + "ms";
    }

    /**
     * As this product understands them.
     *
     * @param hasWaited whether the server has waited for a destination of the request before, in vain
     */
    Map<String, String> of(Server.Product product, boolean hasWaited) {
        Map<String, String> understood = new HashMap<>(parameters);
        if (product == Server.Product.OPENSEARCH) {
            understood
                    .keySet()
                    .removeAll(DestinationType.DATA_STREAM.parameters().keySet());
        }
        if (hasWaited) {
            understood.put(TIMEOUT, millis(SHORT_WAIT));
        }
        return understood;
    }
}
