package io.tidegate.connect.tools.redrive;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/** What a dead letter topic holds, and which of its letters are to be written. Holds no content. One thread uses it. */
final class Survey {
    private final Ledger ledger;
    private final Choice choice;
    private final int attempts;
    private final Contents contents = new Contents();
    private final Map<TopicPartition, Set<Long>> chosen = new HashMap<>();
    private final Map<TopicPartition, Set<Long>> unsure = new HashMap<>();
    private long letters;
    private long done;
    private long ofOthers;
    private long unfit;
    private long spent;
    private long withoutOrigin;

    /**
     * Before any letter was read.
     *
     * @param attempts how often a record is redriven
     */
    Survey(Ledger ledger, Choice choice, int attempts) {
        this.ledger = requireNonNull(ledger, "ledger");
        this.choice = requireNonNull(choice, "choice");
        this.attempts = attempts;
    }

    void add(ConsumerRecord<byte[], byte[]> raw) {
        Letter letter = Letter.of(raw);
        letters++;
        if (ledger.isUnsure(letter.partition(), letter.offset())) {
            unsure.computeIfAbsent(letter.partition(), unused -> new TreeSet<>())
                    .add(letter.offset());
        }
        if (ledger.isDone(letter.partition(), letter.offset())) {
            done++;
        } else if (!choice.isOfConnector(letter)) {
            ofOthers++;
        } else if (!choice.fits(letter)) {
            unfit++;
        } else if (letter.origin().isEmpty()) {
            withoutOrigin++;
        } else if (letter.refusals() > attempts) {
            spent++;
        } else {
            chosen.computeIfAbsent(letter.partition(), unused -> new TreeSet<>())
                    .add(letter.offset());
            contents.add(letter);
        }
    }

    boolean isChosen(ConsumerRecord<byte[], byte[]> raw) {
        return isIn(chosen, raw);
    }

    boolean isUnsure(ConsumerRecord<byte[], byte[]> raw) {
        return isIn(unsure, raw);
    }

    private static boolean isIn(Map<TopicPartition, Set<Long>> offsets, ConsumerRecord<byte[], byte[]> raw) {
        Set<Long> ofPartition = offsets.get(new TopicPartition(raw.topic(), raw.partition()));
        return ofPartition != null && ofPartition.contains(raw.offset());
    }

    /** Letters to be written. */
    long chosen() {
        return count(chosen);
    }

    /** Letters that a run was writing when it was cut off. */
    long unsure() {
        return count(unsure);
    }

    /** Letters that were chosen, but redriven too often. */
    long spent() {
        return spent;
    }

    private static long count(Map<TopicPartition, Set<Long>> offsets) {
        return offsets.values().stream().mapToLong(Set::size).sum();
    }

    /** Partition by partition, the positions of letters that a run was writing when it was cut off. */
    Map<TopicPartition, Set<Long>> positionsOfUnsure() {
        return unsure;
    }

    void print(String topic, PrintWriter out) {
        out.printf(Locale.ROOT, "%s: %,d dead letters, %,d of them chosen%n", topic, letters, chosen());
        contents.print(out);
        List<String> others = new ArrayList<>();
        note(others, done, "done before");
        note(others, unsure(), "under way when a run was cut off");
        note(others, unfit, "that the options leave out");
        note(others, ofOthers, "of other connectors than " + choice.connector());
        note(others, spent, "redriven more than " + attempts + " times, which stay");
        note(others, withoutOrigin, "that do not say where they come from, which stay");
        others.forEach(out::println);
        out.flush();
    }

    private static void note(List<String> notes, long count, String what) {
        if (count > 0) {
            notes.add(String.format(Locale.ROOT, "%,10d  %s", count, what));
        }
    }

    void addTo(ObjectNode json) {
        json.put("letters", letters);
        json.put("chosen", chosen());
        json.put("done_before", done);
        json.put("unsure", unsure());
        json.put("left_out", unfit);
        json.put("of_other_connectors", ofOthers);
        json.put("redriven_too_often", spent);
        json.put("without_origin", withoutOrigin);
        contents.addTo(json.putArray("groups"));
    }
}
