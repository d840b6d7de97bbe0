package io.tidegate.connect.check.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidegate.connect.check.oracle.Difference.Kind;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class OracleTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String BYTES = "org.apache.kafka.connect.converters.ByteArrayConverter";

    private static final Map<String, String> APPEND = Map.of(
            "value.converter", BYTES,
            "delivery.guarantee", "exactly_once",
            "errors.tolerance", "all",
            "errors.deadletterqueue.topic.name", "dlq");
    private static final Map<String, String> UPSERT = Map.of(
            "value.converter", BYTES,
            "pk.mode", "record_key",
            "insert.mode", "upsert",
            "delete.enabled", "true",
            "errors.tolerance", "all",
            "errors.deadletterqueue.topic.name", "dlq");

    private final List<LoggedRecord> records = new ArrayList<>();
    private final List<StoredItem> items = new ArrayList<>();
    private final List<Letter> letters = new ArrayList<>();

    private static Optional<ByteBuffer> bytes(String text) {
        return text == null ? Optional.empty() : Optional.of(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
    }

    private void sent(int partition, long offset, String key, String value) {
        records.add(new LoggedRecord("t", partition, offset, 1, bytes(key), bytes(value), Map.of()));
    }

    private static JsonNode json(String text) {
        try {
            return JSON.readTree(text);
        } catch (JsonProcessingException e) {
            throw new AssertionError(e);
        }
    }

    private void row(String place, long sequence, String document) {
        items.add(new StoredItem("t", Optional.empty(), json(document), Optional.of(place), Optional.of(sequence)));
    }

    private void keyed(String id, String document) {
        items.add(new StoredItem("t", Optional.of(id), json(document), Optional.empty(), Optional.empty()));
    }

    private List<Kind> compare(Promises promises) {
        return compare(promises, List.of(new Pass(false, records)));
    }

    private List<Kind> compare(Promises promises, List<Pass> passes) {
        Observed observed = new Observed(items, letters, Optional.empty(), Optional.empty(), false, false);
        return new Oracle(promises)
                .compare(passes, observed).stream().map(Difference::kind).toList();
    }

    private static Promises append() {
        return JsonbPromises.of(APPEND, false, List.of());
    }

    private static Promises upsert() {
        return JsonbPromises.of(UPSERT, true, List.of());
    }

    @Test
    void findsNothingWrongWithWhatWasPromised() {
        sent(0, 0, null, "{\"n\": 1}");
        sent(0, 1, null, "{\"n\":");
        row("t-0@0", 1, "{\"n\":1.0}");
        letters.add(new Letter("t-0@1", "not JSON"));

        assertThat(compare(append())).isEmpty();
    }

    @Test
    void findsALostRecord() {
        sent(0, 0, null, "{\"n\":1}");
        sent(0, 1, null, "{\"n\":2}");
        row("t-0@0", 1, "{\"n\":1}");

        assertThat(compare(append())).containsExactly(Kind.LOST);
    }

    @Test
    void findsADoubledRecordOnlyIfItWasPromisedOnce() {
        sent(0, 0, null, "{\"n\":1}");
        row("t-0@0", 1, "{\"n\":1}");
        row("t-0@0", 2, "{\"n\":1}");

        assertThat(compare(append())).containsExactly(Kind.DOUBLED);
        assertThat(compare(JsonbPromises.of(Map.of("value.converter", BYTES), false, List.of())))
                .isEmpty();
    }

    @Test
    void findsWrongOrderAndWrongContents() {
        sent(0, 0, null, "{\"n\":1}");
        sent(0, 1, null, "{\"n\":2}");
        row("t-0@0", 2, "{\"n\":1}");
        row("t-0@1", 1, "{\"n\":2}");

        assertThat(compare(append())).containsExactly(Kind.ORDER);

        items.clear();
        row("t-0@0", 1, "{\"n\":1}");
        row("t-0@1", 2, "{\"n\":3}");

        assertThat(compare(append())).containsExactlyInAnyOrder(Kind.LOST, Kind.UNEXPLAINED);
    }

    @Test
    void findsMissingAndWrongLetters() {
        sent(0, 0, null, "{\"n\":1}");
        sent(0, 1, null, "{\"n\":\"\\u0000\"}");
        row("t-0@0", 1, "{\"n\":1}");

        assertThat(compare(append())).containsExactly(Kind.LETTER_MISSING);

        letters.add(new Letter("t-0@1", ""));
        letters.add(new Letter("t-0@0", "why"));

        assertThat(compare(append())).containsExactly(Kind.REASON_MISSING, Kind.LETTER_WRONG);
    }

    @Test
    void wantsARecordOnceForEachPassAlsoWithAtLeastOnce() {
        Promises atLeastOnce = JsonbPromises.of(Map.of("value.converter", BYTES), false, List.of());
        sent(0, 0, null, "{}");
        Pass pass = new Pass(false, records);
        row("t-0@0", 1, "{}");
        assertThat(compare(atLeastOnce, List.of(pass, pass))).containsExactly(Kind.LOST);

        row("t-0@0", 2, "{}");
        row("t-0@0", 3, "{}");
        assertThat(compare(atLeastOnce, List.of(pass, pass))).isEmpty();
    }

    @Test
    void wantsTheCoordinatesOfTheRecordThatWroteARow() {
        sent(0, 0, "a", "{\"n\":1}");
        sent(0, 1, "a", "{\"n\":1}");
        for (String place : List.of("t-0@0", "t-0@1")) {
            items.clear();
            items.add(new StoredItem("t", Optional.of("a"), json("{\"n\":1}"), Optional.of(place), Optional.empty()));
            assertThat(compare(upsert())).isEqualTo(place.equals("t-0@0") ? List.of(Kind.WRONG) : List.of());
        }
        Map<String, String> skipping = new HashMap<>(UPSERT);
        skipping.put("skip.unchanged", "true");
        items.clear();
        items.add(new StoredItem("t", Optional.of("a"), json("{\"n\":1}"), Optional.of("t-0@0"), Optional.empty()));
        assertThat(compare(JsonbPromises.of(skipping, true, List.of()))).isEmpty();
    }

    @Test
    void theHigherPositionOfAChangeEventWins() {
        Map<String, String> positions = new HashMap<>(UPSERT);
        positions.put("value.envelope", "debezium");
        positions.put("stale.write.guard", "source_position");
        String key = "{\"id\":\"a\"}";
        sent(0, 0, key, "{\"op\":\"c\",\"after\":{\"n\":1},\"source\":{\"lsn\":5}}");
        sent(0, 1, key, "{\"op\":\"d\",\"after\":null,\"source\":{\"lsn\":4}}");
        sent(0, 2, key, null);
        keyed("a", "{\"n\":1}");

        assertThat(compare(JsonbPromises.of(positions, true, List.of()))).isEmpty();
    }

    @Test
    void wantsTheLastRecordOfEachKey() {
        sent(0, 0, "k", "{\"n\":1}");
        sent(0, 1, "k", "{\"n\":2}");
        keyed("k", "{\"n\":1}");

        assertThat(compare(upsert())).containsExactly(Kind.WRONG);

        items.clear();
        assertThat(compare(upsert())).containsExactly(Kind.LOST);

        keyed("k", "{\"n\":2}");
        assertThat(compare(upsert())).isEmpty();
    }

    @Test
    void allowsAnyPartitionToComeLast() {
        sent(0, 0, "k", "{\"n\":1}");
        sent(0, 1, "k", "{\"n\":2}");
        sent(1, 0, "k", "{\"n\":3}");
        keyed("k", "{\"n\":2}");
        assertThat(compare(upsert())).isEmpty();

        items.set(0, new StoredItem("t", Optional.of("k"), json("{\"n\":1}"), Optional.empty(), Optional.empty()));
        assertThat(compare(upsert())).containsExactly(Kind.WRONG);
    }

    @Test
    void wantsDeletedRowsToBeGone() {
        sent(0, 0, "k", "{\"n\":1}");
        sent(0, 1, "k", null);
        keyed("k", "{\"n\":1}");

        assertThat(compare(upsert())).containsExactly(Kind.NOT_DELETED);
    }

    @Test
    void aRefusedRecordChangesNothingAndNeedsNoLetterIfALaterOneReplacesIt() {
        sent(0, 0, "k", "{\"n\":1}");
        sent(0, 1, "k", "{\"n\":");
        keyed("k", "{\"n\":1}");
        assertThat(compare(upsert())).containsExactly(Kind.LETTER_MISSING);

        sent(0, 2, "k", "{\"n\":3}");
        items.clear();
        keyed("k", "{\"n\":3}");
        assertThat(compare(upsert())).isEmpty();
    }

    @Test
    void wantsARecordOnceForEachPassWithExactlyOnce() {
        sent(0, 0, null, "{\"n\":1}");
        row("t-0@0", 1, "{\"n\":1}");
        Pass pass = new Pass(false, records);

        assertThat(compare(append(), List.of(pass, pass))).containsExactly(Kind.LOST);
        assertThat(compare(append(), List.of(pass, new Pass(true, records)))).isEmpty();
    }

    @Test
    void mergesFieldsOfTheFirstLevel() {
        Promises merge = JsonbPromises.of(
                Map.of("value.converter", BYTES, "pk.mode", "record_key", "insert.mode", "merge"), true, List.of());
        sent(0, 0, "k", "{\"a\":1,\"o\":{\"x\":1}}");
        sent(0, 1, "k", "{\"b\":2,\"o\":{\"y\":2}}");
        keyed("k", "{\"a\":1,\"b\":2,\"o\":{\"y\":2}}");

        assertThat(compare(merge)).isEmpty();
    }

    @Test
    void aVectorHasThreeNumbers() {
        Promises vectors =
                JsonbPromises.of(Map.of("value.converter", BYTES, "columns.from.fields", "known"), false, List.of("v"));
        sent(0, 0, "k", "{\"a\":1,\"v\":[1,2.5,-3]}");
        sent(0, 1, "k", "{\"a\":2,\"v\":[1,2]}");
        sent(0, 2, "k", "{\"a\":3,\"v\":null}");
        row("t-0@0", 1, "{\"a\":1,\"v\":[1,2.5,-3]}");
        row("t-0@2", 2, "{\"a\":3}");

        assertThat(compare(vectors)).isEmpty();
    }

    @Test
    void theHigherOffsetWinsWithOffsetsAsVersions() {
        Promises versions = ElasticsearchPromises.of(Map.of("value.converter", BYTES), List.of("n"), List.of());
        sent(0, 5, "k", "{\"n\":1}");
        sent(1, 3, "k", "{\"n\":2}");
        keyed("k", "{\"n\":2}");
        assertThat(compare(versions)).containsExactly(Kind.WRONG);

        items.clear();
        keyed("k", "{\"n\":1}");
        assertThat(compare(versions)).isEmpty();
    }

    @Test
    void allowsAnyRecordToComeLastIfAPausedWorkerWroteToo() {
        sent(0, 0, "k", "{\"n\":1}");
        sent(0, 1, "k", "{\"n\":2}");
        keyed("k", "{\"n\":1}");
        assertThat(compareOverlapped(upsert())).isEmpty();

        items.clear();
        assertThat(compareOverlapped(upsert())).containsExactly(Kind.LOST);
        keyed("k", "{\"n\":3}");
        assertThat(compareOverlapped(upsert())).containsExactly(Kind.WRONG);
    }

    private List<Kind> compareOverlapped(Promises promises) {
        Observed observed = new Observed(items, letters, Optional.empty(), Optional.empty(), true, true);
        return new Oracle(promises)
                .compare(List.of(new Pass(false, records)), observed).stream()
                        .map(Difference::kind)
                        .toList();
    }

    @Test
    void aFailedTaskIsTheOnlyDifference() {
        sent(0, 0, null, "{\"n\":1}");
        Observed observed = new Observed(
                List.of(), List.of(), Optional.of("why\n\tat a.B\nCaused by: that"), Optional.empty(), false, false);

        assertThat(new Oracle(append()).compare(List.of(new Pass(false, records)), observed))
                .extracting(Difference::toString)
                .containsExactly("FAILED: why Caused by: that");
    }
}
