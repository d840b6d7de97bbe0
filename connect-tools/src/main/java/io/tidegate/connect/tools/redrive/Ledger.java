package io.tidegate.connect.tools.redrive;

import io.tidegate.connect.tools.command.ToolException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Base64;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/**
 * Which dead letters are done, and which were under way when a run was cut off. As offsets of a consumer group with
 * metadata: all letters below the offset are done, and the metadata holds two bits for each letter above. One thread
 * uses it.
 */
final class Ledger {
    /** A broker accepts 4,096 bytes of metadata ({@code offset.metadata.max.bytes}). */
    private static final int MOST_METADATA = 4_096;

    private static final String VERSION = "redrive1:";

    private final Map<TopicPartition, Entry> entries = new HashMap<>();

    private static final class Entry {
        private long base;
        private BitSet done = new BitSet();
        private BitSet unsure = new BitSet();

        Entry(long base) {
            this.base = base;
        }

        int bit(long offset) {
            return Math.toIntExact(offset - base);
        }

        /** Moves the base to the first letter that is not done. */
        void advance() {
            int first = done.nextClearBit(0);
            done = done.get(first, Math.max(first, done.length()));
            unsure = unsure.get(first, Math.max(first, unsure.length()));
            base += first;
        }
    }

    /**
     * Reads what Kafka has.
     *
     * @param begins the first offset of each partition
     * @throws ToolException if it is of another program
     */
    static Ledger of(Map<TopicPartition, Long> begins, Map<TopicPartition, OffsetAndMetadata> stored)
            throws ToolException {
        Ledger ledger = new Ledger();
        for (Map.Entry<TopicPartition, Long> partition : begins.entrySet()) {
            OffsetAndMetadata offset = stored.get(partition.getKey());
            ledger.entries.put(partition.getKey(), offset == null ? new Entry(partition.getValue()) : entry(offset));
        }
        return ledger;
    }

    private static Entry entry(OffsetAndMetadata offset) throws ToolException {
        Entry entry = new Entry(offset.offset());
        if (!offset.metadata().startsWith(VERSION)) {
            throw new ToolException("the consumer group has offsets of another program: use another --group");
        }
        byte[] packed = Base64.getDecoder().decode(offset.metadata().substring(VERSION.length()));
        try (DataInputStream in = new DataInputStream(new InflaterInputStream(new ByteArrayInputStream(packed)))) {
            entry.done = BitSet.valueOf(in.readNBytes(in.readInt()));
            entry.unsure = BitSet.valueOf(in.readNBytes(in.readInt()));
            return entry;
        } catch (IOException e) {
            throw new ToolException("the consumer group's metadata cannot be read: use another --group", e);
        }
    }

    boolean isDone(TopicPartition partition, long offset) {
        Entry entry = entries.get(partition);
        return offset < entry.base || entry.done.get(entry.bit(offset));
    }

    /** Whether a run was cut off while it wrote this letter. */
    boolean isUnsure(TopicPartition partition, long offset) {
        Entry entry = entries.get(partition);
        return offset >= entry.base && entry.unsure.get(entry.bit(offset));
    }

    /** This letter is about to be written. */
    void begin(TopicPartition partition, long offset) {
        Entry entry = entries.get(partition);
        entry.unsure.set(entry.bit(offset));
    }

    /** This letter needs nothing more. */
    void done(TopicPartition partition, long offset) {
        Entry entry = entries.get(partition);
        entry.unsure.clear(entry.bit(offset));
        entry.done.set(entry.bit(offset));
    }

    /** This letter is not written for certain. */
    void stays(TopicPartition partition, long offset) {
        Entry entry = entries.get(partition);
        entry.unsure.clear(entry.bit(offset));
    }

    /**
     * What Kafka is to store.
     *
     * @throws ToolException if it does not fit; nothing is to be written then
     */
    Map<TopicPartition, OffsetAndMetadata> stored() throws ToolException {
        Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
        for (Map.Entry<TopicPartition, Entry> partition : entries.entrySet()) {
            Entry entry = partition.getValue();
            entry.advance();
            String metadata = VERSION + packed(entry);
            if (metadata.length() > MOST_METADATA) {
                throw new ToolException("the letters that are done lie too scattered in " + partition.getKey()
                        + " to be remembered: use --parking, so that none stays between them, or choose more of them");
            }
            offsets.put(partition.getKey(), new OffsetAndMetadata(entry.base, metadata));
        }
        return offsets;
    }

    private static String packed(Entry entry) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(new DeflaterOutputStream(bytes))) {
            for (BitSet bits : new BitSet[] {entry.done, entry.unsure}) {
                byte[] array = bits.toByteArray();
                out.writeInt(array.length);
                out.write(array);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e); // a buffer in memory does not fail
        }
        return Base64.getEncoder().encodeToString(bytes.toByteArray());
    }
}
