package io.tidegate.connect.quickstart;

import java.util.List;

/**
 * What the topic holds: of each partition, how many records; their offsets are 0 to that number less one, because the topic is new and
 * the producer neither repeats nor uses transactions.
 */
record Produced(List<Long> perPartition) {
    Produced {
        perPartition = List.copyOf(perPartition);
    }

    long total() {
        return perPartition.stream().mapToLong(Long::longValue).sum();
    }

    boolean holds(int partition, long offset) {
        return partition >= 0 && partition < perPartition.size() && offset >= 0 && offset < perPartition.get(partition);
    }
}
