package io.tidegate.connect.check.draw;

import io.tidegate.connect.check.plan.PlannedRecord;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Draws the records of a case. */
final class History {
    private static final long FIRST = 1_700_000_000_000L;
    private static final int MOST_KEYS = 25;
    /** Records that nothing binds also go to partitions that are added later. */
    private static final int MOST_PARTITIONS = 11;

    private final Draw draw;
    private final Story story;
    private final Documents documents;
    private final List<String> keys = new ArrayList<>();
    private int sent;

    History(Draw draw, Story story) {
        this.draw = draw;
        this.story = story;
        documents = new Documents(draw, story);
        int count = draw.between(1, MOST_KEYS);
        for (int i = 0; i < count; i++) {
            keys.add(key(i));
        }
    }

    private String key(int number) {
        if (story.form().isDebezium()) {
            return "text:{\"id\":\"k" + number + "\"}";
        }
        if (!draw.chance(25)) {
            return "text:k" + number;
        }
        String odd = draw.pick(
                "k \"%d\"", "k\\%d", "schl\u00FCssel-%d", "\uD83C\uDF0A%d", "k+%d/%%2F?", "k%d'; --", "K%d\u0000x");
        if (story.clean()) {
            odd = odd.replace("\u0000", "");
        } else if (story.search() && odd.contains("\u0000")) {
            odd = "long-" + "y".repeat(draw.pick(400, 520)) + "-%d";
        }
        return "text:" + odd.formatted(number);
    }

    List<PlannedRecord> records(int count) {
        List<PlannedRecord> records = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            records.add(record());
        }
        return records;
    }

    private PlannedRecord record() {
        int number = sent++;
        String key = !story.clean() && draw.chance(3) ? "" : draw.pick(keys);
        String identity = story.byField() ? documents.identity(key) : key;
        List<String> names = List.copyOf(story.topics().keySet());
        boolean stays = (story.keyed() || story.byField()) && !story.moves();
        int home = Math.floorMod(identity.replace("\u0000", "").hashCode(), 1009);
        String topic = stays && story.sameTable() ? names.get(home % names.size()) : draw.pick(names);
        int partitions = story.topics().get(topic);
        boolean unbound = !story.keyed() && !story.byField();
        int partition = stays ? home % partitions : draw.between(0, unbound ? MOST_PARTITIONS : partitions - 1);
        Map<String, String> headers = new HashMap<>();
        if (story.destinations() > 0) {
            headers.put("dest", "d" + (stays ? home : draw.between(0, 99)) % story.destinations());
            if (!story.clean() && draw.chance(3)) {
                headers.clear();
            }
        }
        if (story.drops() && draw.chance(15)) {
            headers.put("drop", "yes");
        }
        if (draw.chance(10)) {
            headers.put("note", draw.pick("x", "\u00E4", "a b", "{}"));
        }
        boolean isNull = story.nulls() && draw.chance(15);
        return new PlannedRecord(
                topic, partition, key, isNull ? "" : documents.next(number, key), headers, FIRST + number);
    }
}
