package io.tidegate.connect.bench.store;

import io.tidegate.connect.harness.store.RawWriter;
import io.tidegate.connect.harness.store.Store;
import java.util.List;
import java.util.function.Function;

/**
 * A store that is measured.
 *
 * @param rawWriter makes a bare client that writes the given values to the store
 */
public record MeasuredStore(StoreKind kind, Store store, Function<List<byte[]>, RawWriter> rawWriter) {}
