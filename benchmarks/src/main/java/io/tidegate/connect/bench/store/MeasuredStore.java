package io.tidegate.connect.bench.store;

import io.tidegate.connect.lab.store.Store;
import java.util.function.Function;

/**
 * A store that is measured.
 *
 * @param rawWriter makes a raw client that writes the given records to the store
 */
public record MeasuredStore(StoreKind kind, Store store, Function<RawRecords, RawWriter> rawWriter) {}
