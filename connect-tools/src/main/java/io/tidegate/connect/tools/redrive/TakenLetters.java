package io.tidegate.connect.tools.redrive;

import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * The records of a run's letters. A task that ends after it has reported a record, and before it has committed, reports it
 * twice. Two records of a topic that was created again may have one place, but not also one time and content. It knows as many
 * as are likely to be between two such letters, but none of an earlier run. One thread uses it.
 */
final class TakenLetters {
    private static final int MOST = 100_000;

    private final Set<Taken> taken = Collections.newSetFromMap(new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Taken, Boolean> eldest) {
            return size() > MOST;
        }
    });

    private record Taken(Letter.Origin origin, long timestamp, int key, int value) {}

    /** Adds the record of a letter, and returns whether it is new. */
    boolean add(ConsumerRecord<byte[], byte[]> letter, Letter.Origin origin) {
        return taken.add(
                new Taken(origin, letter.timestamp(), Arrays.hashCode(letter.key()), Arrays.hashCode(letter.value())));
    }
}
