package io.tidegate.connect.elasticsearch;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.offset.Progress;
import io.tidegate.connect.common.spi.BatchWriter;
import io.tidegate.connect.common.spi.Target;
import io.tidegate.connect.common.spi.WriteException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.connect.sink.SinkRecord;

/** What the tests of the page on privileges share: lists of permissions, and what a user with them writes. */
final class Permissions {
    private Permissions() {}

    static List<String> without(String missing, List<String> permissions) {
        return permissions.stream()
                .filter(permission -> !permission.equals(missing))
                .toList();
    }

    /** As an array in JSON. */
    static String array(List<String> texts) {
        return texts.stream().map(text -> '"' + text + '"').collect(Collectors.joining(",", "[", "]"));
    }

    /** Writes twice, as after a crash; then deletes if these settings of a connector delete for tombstones. */
    static void write(Map<String, String> props) throws WriteException {
        Progress assignment = new Progress(new TopicPartition("readings", 0), 1);
        try (Target target = new ElasticsearchTargetType().open(props);
                BatchWriter writer = new DeliveredWriter(target)) {
            List<Document> documents = new ArrayList<>();
            for (int offset = 0; offset < 2; offset++) {
                target.mapper()
                        .map(record(offset, Optional.of("{\"n\": " + offset + "}")), assignment)
                        .ifPresent(documents::add);
            }
            assertThat(writer.write(documents)).isEmpty();
            assertThat(writer.write(documents)).isEmpty();
            if (props.containsKey("behavior.on.null.values")) {
                Document deletion = target.mapper()
                        .map(record(2, Optional.empty()), assignment)
                        .orElseThrow();
                assertThat(writer.write(List.of(deletion))).isEmpty();
            }
        }
    }

    private static SinkRecord record(long offset, Optional<String> json) {
        return new SinkRecord(
                "readings",
                0,
                null,
                "k" + offset % 2,
                null,
                json.orElse(null),
                offset,
                1_420_070_400_123L,
                TimestampType.CREATE_TIME);
    }
}
