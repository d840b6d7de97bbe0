/** {@code ./bench sink}: drains a topic through sink connectors, counts in the store, and says what each record cost. */
package io.tidegate.connect.bench.sink;
