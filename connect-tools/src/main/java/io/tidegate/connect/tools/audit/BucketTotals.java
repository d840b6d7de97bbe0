package io.tidegate.connect.tools.audit;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;

/**
 * How many rows a table has in each bucket of offsets, and the sum of their hashes: 16 bytes for each bucket. One thread
 * uses it.
 */
final class BucketTotals {
    /** Buckets of fewer offsets would be more to keep, and those of more are more to read again after a defect. */
    private static final long SMALLEST = 1_000;

    /** With more offsets the buckets grow. */
    private static final long MOST_BUCKETS = 2_000_000;

    private final long size;
    private final Map<TopicPartition, Partition> partitions = new HashMap<>();

    private static final class Partition {
        private final long first;
        private final long[] counts;
        private final long[] hashes;

        Partition(long first, int buckets) {
            this.first = first;
            this.counts = new long[buckets];
            this.hashes = new long[buckets];
        }
    }

    /** A bucket of offsets. */
    record Bucket(TopicPartition partition, long number) {}

    BucketTotals(Scope scope) {
        this.size = Math.max(SMALLEST, 1 + scope.offsets() / MOST_BUCKETS);
        scope.stretches().forEach((partition, stretch) -> {
            if (stretch.offsets() > 0) {
                long first = stretch.from() / size;
                partitions.put(partition, new Partition(first, Math.toIntExact((stretch.to() - 1) / size - first + 1)));
            }
        });
    }

    /** Offsets in a bucket: the bucket's number is the offset divided by this. */
    long size() {
        return size;
    }

    void put(TopicPartition partition, long bucket, long rows, long hash) {
        Partition known = partitions.get(partition);
        int index = Math.toIntExact(bucket - known.first);
        known.counts[index] = rows;
        known.hashes[index] = hash;
    }

    /** Whether the table has exactly this in a bucket. The bucket is then done, as {@link #rest} sees it. */
    boolean take(TopicPartition partition, long bucket, long rows, long hash) {
        Partition known = partitions.get(partition);
        int index = Math.toIntExact(bucket - known.first);
        boolean isSame = known.counts[index] == rows && known.hashes[index] == hash;
        known.counts[index] = 0;
        known.hashes[index] = 0;
        return isSame;
    }

    /** The buckets of a partition in which the table has rows and which were not taken. */
    List<Bucket> rest(TopicPartition partition) {
        List<Bucket> rest = new ArrayList<>();
        Partition known = partitions.get(partition);
        if (known == null) {
            return rest;
        }
        for (int i = 0; i < known.counts.length; i++) {
            if (known.counts[i] > 0) {
                rest.add(new Bucket(partition, known.first + i));
            }
        }
        return rest;
    }
}
