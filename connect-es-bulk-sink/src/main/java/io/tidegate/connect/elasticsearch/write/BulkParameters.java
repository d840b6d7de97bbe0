package io.tidegate.connect.elasticsearch.write;

import io.tidegate.connect.elasticsearch.bulk.BulkResponse;
import io.tidegate.connect.elasticsearch.settings.ConnectionSettings;
import io.tidegate.connect.elasticsearch.settings.DestinationType;
import io.tidegate.connect.elasticsearch.settings.DocumentSettings;
import io.tidegate.connect.elasticsearch.settings.IndexSettings;
import io.tidegate.connect.elasticsearch.settings.ServerProduct;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** The parameters of a bulk request. Immutable. */
public final class BulkParameters {
    /**
     * How long the server may wait for a primary shard or a new index before it answers for all items of a request. Its
     * own default is a minute, in which one red index holds up all others. Items that time out are written again.
     */
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(2);

    /**
     * The wait is this fraction of the time-out, so that the response arrives in time and the request does not count as
     * slow.
     */
    private static final int PART_OF_READ_TIMEOUT = 8;

    /** The wait if the server has waited for the destination before: its primary shard is either available or not. */
    private static final Duration SHORT_WAIT = Duration.ofMillis(100);

    private static final String TIMEOUT = "timeout";

    private final Map<String, String> parameters = new HashMap<>();
    private final boolean isRoutedByRequest;

    public BulkParameters(IndexSettings index, DocumentSettings documents, ConnectionSettings connection) {
        Duration part = connection.readTimeout().dividedBy(PART_OF_READ_TIMEOUT);
        parameters.put("filter_path", BulkResponse.FILTER_PATH);
        parameters.put(TIMEOUT, millis(part.compareTo(LONGEST_WAIT) < 0 ? part : LONGEST_WAIT));
        parameters.putAll(parametersOf(index.type(), connection.product()));
        index.pipelineOfAll().ifPresent(name -> parameters.put("pipeline", name));
        isRoutedByRequest = documents.isRoutedByRequest();
    }

    /** OpenSearch has no way to ask for a data stream. */
    private static Map<String, String> parametersOf(DestinationType type, ServerProduct product) {
        return type == DestinationType.DATA_STREAM && product.isOpenSearch() ? Map.of() : type.parameters();
    }

    private static String millis(Duration duration) {
        return duration.toMillis() + "ms";
    }

    /**
     * The parameters of one request.
     *
     * @param hasWaited whether the server has waited for a destination of the request before without success
     * @param request the number of the request. If requests select shards, the next number is likely to select another
     */
    Map<String, String> of(boolean hasWaited, int request) {
        Map<String, String> all = new HashMap<>(parameters);
        if (hasWaited) {
            all.put(TIMEOUT, millis(SHORT_WAIT));
        }
        if (isRoutedByRequest) {
            all.put("routing", Integer.toString(request));
        }
        return all;
    }
}
