package io.tidegate.connect.bench.store;

import io.tidegate.connect.harness.store.RawRecords;
import io.tidegate.connect.harness.store.RawWriter;
import io.tidegate.connect.harness.store.Store;
import java.util.function.Function;

/**
 * A store that is measured.
 *
 * @param rawWriter makes a bare client that writes the given records to the store
 */
public record MeasuredStore(StoreKind kind, Store store, Function<RawRecords, RawWriter> rawWriter) {}
