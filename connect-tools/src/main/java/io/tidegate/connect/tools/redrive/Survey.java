package io.tidegate.connect.tools.redrive;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidegate.connect.tools.redrive.Plan.Step;
import java.io.PrintWriter;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** What a dead letter topic holds from the group's offsets on, counted. Holds no content. One thread uses it. */
final class Survey {
    private static final int MOST_RANGES = 20;

    private final Plan plan;
    private final Contents contents = new Contents();
    private final Map<Step, Long> counts = new EnumMap<>(Step.class);
    private final Map<String, long[]> unsure = new TreeMap<>(); // by partition: count, first, last
    private final Set<String> refusedFirst = new TreeSet<>();
    private long letters;

    Survey(Plan plan) {
        this.plan = requireNonNull(plan, "plan");
    }

    void add(ConsumerRecord<byte[], byte[]> raw) {
        Letter letter = Letter.of(raw);
        Step step = plan.of(letter);
        letters++;
        counts.merge(step, 1L, Long::sum);
        if (step == Step.WRITE) {
            contents.add(letter);
        }
        if (plan.isOfLetters()
                && step == Step.PASS_OTHERS
                && letter.connectors().contains(plan.connector())) {
            refusedFirst.add(letter.connector());
        }
        if (step.compareTo(Step.PASS_UNSURE) >= 0 && plan.isUnsure(letter)) {
            long[] known =
                    unsure.computeIfAbsent(letter.partition().toString(), unused -> new long[] {0, letter.offset(), 0});
            known[0]++;
            known[2] = letter.offset();
        }
    }

    long count(Step step) {
        return counts.getOrDefault(step, 0L);
    }

    /** Whose letters these are. */
    String connector() {
        return plan.connector();
    }

    /** Other connectors whose letters this one has read as such. */
    Set<String> refusedFirst() {
        return refusedFirst;
    }

    /** Letters that may be written, but nothing says so. */
    long unsure() {
        return unsure.values().stream().mapToLong(known -> known[0]).sum();
    }

    /** Where they are: {@code topic-0@3..9 (7), topic-1@2..2 (1)}. */
    String unsureRanges() {
        StringBuilder ranges = new StringBuilder();
        unsure.entrySet().stream().limit(MOST_RANGES).forEach(known -> ranges.append(ranges.isEmpty() ? "" : ", ")
                .append(known.getKey() + "@" + known.getValue()[1] + ".." + known.getValue()[2] + " ("
                        + known.getValue()[0] + ")"));
        return ranges + (unsure.size() > MOST_RANGES ? " and more" : "");
    }

    void print(String topic, PrintWriter out) {
        out.printf(
                Locale.ROOT,
                "%s: %,d dead letters that are not done, %,d of them chosen%n",
                topic,
                letters,
                count(Step.WRITE));
        contents.print(out);
        note(out, unsure(), "that may be written already: no run has committed an offset after them");
        note(out, count(Step.PARK_LEFT_OUT), "that the options leave out");
        note(out, count(Step.PASS_OTHERS), "of other connectors than " + plan.connector());
        note(out, count(Step.PARK_SPENT), "redriven more than " + plan.attempts() + " times");
        note(out, count(Step.PARK_LETTER), "that the connector read as records, and nothing can write as such");
        note(out, count(Step.PASS_WITHOUT_ORIGIN), "that do not say where they come from, which stay");
        out.flush();
    }

    private static void note(PrintWriter out, long count, String what) {
        if (count > 0) {
            out.printf(Locale.ROOT, "%,10d  %s%n", count, what);
        }
    }

    void addTo(ObjectNode json) {
        json.put("letters", letters);
        json.put("chosen", count(Step.WRITE));
        json.put("unsure", unsure());
        json.put("left_out", count(Step.PARK_LEFT_OUT));
        json.put("of_other_connectors", count(Step.PASS_OTHERS));
        json.put("redriven_too_often", count(Step.PARK_SPENT));
        json.put("letters_as_records", count(Step.PARK_LETTER));
        json.put("without_origin", count(Step.PASS_WITHOUT_ORIGIN));
        contents.addTo(json.putArray("groups"));
    }
}
