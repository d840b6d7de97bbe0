package io.tidegate.connect.quickstart;

import java.util.List;

/**
 * The number of records in each partition of the topic. The topic is new, and the producer neither repeats records nor
 * uses transactions. The offsets of a partition are therefore 0 to its number of records minus 1.
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
