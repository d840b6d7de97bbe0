package io.tidegate.connect.bench.sink;

import io.tidegate.connect.tools.store.Store;
import java.util.List;
import java.util.function.Function;

/**
 * A store that is measured.
 *
 * @param rawWriter makes a bare client that writes these values into it
 */
record MeasuredStore(StoreKind kind, Store store, Function<List<byte[]>, RawWriter> rawWriter) {}
