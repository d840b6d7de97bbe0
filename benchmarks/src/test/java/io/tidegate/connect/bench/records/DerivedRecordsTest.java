package io.tidegate.connect.bench.records;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.connect.lab.tides.TideSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Records that are made of other records. */
final class DerivedRecordsTest {
    private static final TideSource SOURCE = (limit, receiver) -> {
        for (int i = 0; i < limit; i++) {
            receiver.accept("k".getBytes(UTF_8), ("{\"n\":" + i % 10 + "}").getBytes(UTF_8));
        }
        return limit;
    };

    private static List<String> keys(boolean scattered, int limit) throws Exception {
        List<String> keys = new ArrayList<>();
        new UniqueKeys(SOURCE, scattered).stream(limit, (key, value) -> keys.add(new String(key, UTF_8)));
        return keys;
    }

    @Test
    void scattersTheSameKeys() throws Exception {
        for (int limit : new int[] {1, 2, 10, 1000, 4096}) {
            List<String> rising = keys(false, limit);

            assertThat(rising)
                    .isEqualTo(IntStream.range(0, limit)
                            .mapToObj(Integer::toString)
                            .toList());
            assertThat(new HashSet<>(keys(true, limit))).hasSize(limit).containsAll(rising);
        }
        assertThat(keys(true, 1000)).startsWith("0", "619", "238");
    }

    @Test
    void gathersRecordsToDocumentsOfASize() throws Exception {
        List<String> documents = new ArrayList<>();

        long made = new GatheredRecords(SOURCE, 40).stream(3, (key, value) -> documents.add(new String(value, UTF_8)));

        assertThat(made).isEqualTo(3);
        assertThat(documents)
                .containsExactly(
                        "{\"records\":[{\"n\":0},{\"n\":1},{\"n\":2}]}",
                        "{\"records\":[{\"n\":3},{\"n\":4},{\"n\":5}]}",
                        "{\"records\":[{\"n\":6},{\"n\":7},{\"n\":8}]}");
    }
}
