package io.tidegate.connect.bench.store;

import io.tidegate.connect.tools.store.ElasticsearchStore;
import io.tidegate.connect.tools.store.PostgresStore;
import io.tidegate.connect.tools.store.Store;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Supplier;

/** Where a connector writes to, told from the variables that its configuration refers to. A new store is a constant here. */
@SuppressWarnings("ImmutableEnumChecker") // the factories keep no state
public enum StoreKind {
    /** With room for the write-ahead log, and without autovacuum, which would hit one run and not another. */
    POSTGRESQL(
            "postgresql",
            "${env:TIDEGATE_POSTGRES_",
            new Factory<>(
                    () -> new PostgresStore(
                            Map.of("shared_buffers", "256MB", "max_wal_size", "8GB", "autovacuum", "off")),
                    RawCopy::new)),
    /** Plain HTTP without security, to compare with. */
    ELASTICSEARCH_HTTP(
            "elasticsearch-http",
            "${env:TIDEGATE_ELASTICSEARCH_HTTP_",
            new Factory<>(
                    () -> new ElasticsearchStore(false, RawBulk.INDEX),
                    (store, values) -> new RawBulk("raw _bulk over HTTP", store.node(), values))),
    ELASTICSEARCH(
            "elasticsearch",
            "${env:TIDEGATE_ELASTICSEARCH_",
            new Factory<>(
                    () -> new ElasticsearchStore(true, RawBulk.INDEX),
                    (store, values) -> new RawBulk("raw _bulk", store.node(), values))),
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

    private record Factory<S extends Store>(Supplier<S> store, BiFunction<S, List<byte[]>, RawWriter> rawWriter) {
        MeasuredStore make(StoreKind kind) {
            S made = store.get();
            return new MeasuredStore(kind, made, values -> rawWriter.apply(made, values));
        }
    }

    /** A store of this kind, not started; {@link #NONE} has none. */
    public Optional<MeasuredStore> make() {
        return factory.map(one -> one.make(this));
    }

    /** As the results call it. */
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
