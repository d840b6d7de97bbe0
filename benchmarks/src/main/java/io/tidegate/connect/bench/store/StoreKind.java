package io.tidegate.connect.bench.store;

import io.tidegate.connect.lab.store.ElasticsearchStore;
import io.tidegate.connect.lab.store.PostgresStore;
import io.tidegate.connect.lab.store.Store;
import io.tidegate.connect.testkit.elasticsearch.ElasticsearchRelease;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Supplier;

/** The store that a connector writes to. Variables in its configuration name it. A new store needs a constant. */
@SuppressWarnings("ImmutableEnumChecker") // the factories keep no state
public enum StoreKind {
    /** This server has room for the write-ahead log. Autovacuum is off, because it would slow down only some runs. */
    POSTGRESQL(
            "postgresql",
            "${env:TIDEGATE_POSTGRES_",
            new Factory<>(
                    () -> new PostgresStore(
                            Map.of("shared_buffers", "256MB", "max_wal_size", "8GB", "autovacuum", "off")),
                    (store, records) -> new RawCopy(store, records))),
    /** Plain HTTP without security, for comparison. */
    ELASTICSEARCH_HTTP(
            "elasticsearch-http",
            "${env:TIDEGATE_ELASTICSEARCH_HTTP_",
            new Factory<>(
                    () -> new ElasticsearchStore(false, RawBulk.INDEX),
                    (store, records) -> new RawBulk("raw _bulk over HTTP", store.node(), records))),
    ELASTICSEARCH(
            "elasticsearch",
            "${env:TIDEGATE_ELASTICSEARCH_",
            new Factory<>(
                    () -> new ElasticsearchStore(true, RawBulk.INDEX),
                    (store, records) -> new RawBulk("raw _bulk", store.node(), records))),
    /** Release 9 with batch indexing, which a feature flag switches on. */
    ELASTICSEARCH_9_BATCH(
            "elasticsearch-9-batch",
            "${env:TIDEGATE_ELASTICSEARCH9_BATCH_",
            new Factory<>(
                    () -> new ElasticsearchStore(
                            "TIDEGATE_ELASTICSEARCH9_BATCH_",
                            RawBulk.INDEX,
                            builder -> builder.release(ElasticsearchRelease.V9).batchIndexing()),
                    (store, records) -> new RawBulk("raw _bulk 9 batch", store.node(), records))),
    /** Release 9, which needs a newer JDK than this program. */
    ELASTICSEARCH_9(
            "elasticsearch-9",
            "${env:TIDEGATE_ELASTICSEARCH9_",
            new Factory<>(
                    () -> new ElasticsearchStore(
                            "TIDEGATE_ELASTICSEARCH9_",
                            RawBulk.INDEX,
                            builder -> builder.release(ElasticsearchRelease.V9)),
                    (store, records) -> new RawBulk("raw _bulk 9", store.node(), records))),
    /** Plain HTTP without security. */
    OPENSEARCH(
            "opensearch",
            "${env:TIDEGATE_OPENSEARCH_",
            new Factory<>(
                    () -> new OpenSearchStore(RawBulk.INDEX),
                    (store, records) -> new RawBulk("raw _bulk", store.node(), records))),
    /** The connector stores nothing. */
    NONE("none", "");

    private final String label;
    private final String reference;
    private final Optional<Factory<?>> factory;

    StoreKind(String label, String reference, Factory<?>... factory) {
        this.label = label;
        this.reference = reference;
        this.factory = List.of(factory).stream().findFirst();
    }

    private record Factory<S extends Store>(Supplier<S> store, BiFunction<S, RawRecords, RawWriter> rawWriter) {
        MeasuredStore make(StoreKind kind) {
            S made = store.get();
            return new MeasuredStore(kind, made, records -> rawWriter.apply(made, records));
        }
    }

    /** Makes a store of this kind without starting it; {@link #NONE} has none. */
    public Optional<MeasuredStore> make() {
        return factory.map(one -> one.make(this));
    }

    /** The name of the store in the results. */
    public String label() {
        return label;
    }

    public static StoreKind of(Map<String, String> config) {
        for (StoreKind kind : values()) {
            if (kind != NONE && config.values().stream().anyMatch(value -> value.contains(kind.reference))) {
                return kind;
            }
        }
        return NONE;
    }
}
