package io.tidegate.connect.common.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.connect.common.settings.Problem;
import io.tidegate.connect.common.spi.ServerCheck;
import io.tidegate.connect.common.spi.TargetType;
import io.tidegate.connect.common.testing.FakeTarget;
import io.tidegate.connect.common.testing.FakeTargetType;
import io.tidegate.connect.common.testing.FakeWriter;
import io.tidegate.connect.common.testing.Records;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.Config;
import org.apache.kafka.connect.connector.Task;
import org.junit.jupiter.api.Test;

final class DocumentSinkConnectorTest {
    private static final class FakeConnector extends DocumentSinkConnector {
        FakeConnector(TargetType type) {
            super(type);
        }

        @Override
        public Class<? extends Task> taskClass() {
            return DocumentSinkTask.class;
        }
    }

    private final FakeTargetType type = new FakeTargetType(new FakeTarget(lane -> new FakeWriter()));
    private final FakeConnector connector = new FakeConnector(type);

    private static List<String> complaints(Config config, String key) {
        return config.configValues().stream()
                .filter(value -> value.name().equals(key))
                .flatMap(value -> value.errorMessages().stream())
                .toList();
    }

    @Test
    void numbersItsTasks() {
        Map<String, String> props = new HashMap<>(Map.of("name", "tides"));
        props.put("a.setting.without.a.value", null);
        connector.start(props);

        List<Map<String, String>> configs = connector.taskConfigs(3);

        assertThat(configs)
                .extracting(config -> config.get("tidegate.task.number"))
                .containsExactly("0", "1", "2");
        assertThat(configs).allSatisfy(config -> assertThat(config).containsEntry("name", "tides"));
        connector.stop();
    }

    /** Connect finds the references to secrets, which it stores in their place, by these names. */
    @Test
    void givesItsTasksTheNamesThatTheUserChose() {
        connector.start(Map.of("their.name.of.batch.size", "7"));

        assertThat(connector.taskConfigs(1).get(0))
                .containsEntry("their.name.of.batch.size", "7")
                .doesNotContainKey("batch.size");
    }

    @Test
    void complainsOfASettingByItself() {
        type.setProblems(List.of(new Problem("batch.size", "never asked for")));

        Config config = connector.validate(Map.of("batch.size", "0"));

        assertThat(complaints(config, "batch.size"))
                .containsExactly("Invalid value 0 for configuration batch.size: Value must be at least 1");
    }

    /** Kafka repeats the value, in which a config provider may have put a secret. */
    @Test
    void keepsSecretsInAComplaintToItself() {
        Config config = connector.validate(Map.of("ordering", "https://me:hunter2@a"));

        assertThat(complaints(config, "ordering"))
                .singleElement()
                .asString()
                .contains("https://me:[hidden]@a")
                .doesNotContain("hunter2");
    }

    @Test
    void complainsOfSettingsThatDoNotGoTogether() {
        type.setProblems(List.of(new Problem("ordering", "needs keys")));

        Config config = connector.validate(Map.of("ordering", "key"));

        assertThat(complaints(config, "ordering")).containsExactly("needs keys");
        assertThat(complaints(config, "batch.size")).isEmpty();
    }

    @Test
    void asksTheServerWhenTheSettingsAreInOrder() {
        type.setServerCheck(new RefusingServer());

        assertThat(complaints(connector.validate(Map.of()), "ordering")).containsExactly("the server objects");
        assertThat(complaints(connector.validate(Map.of("validate.server", "never")), "ordering"))
                .isEmpty();
        type.setProblems(List.of(new Problem("ordering", "needs keys")));
        assertThat(complaints(connector.validate(Map.of()), "ordering")).containsExactly("needs keys");
    }

    private static final class RefusingServer implements ServerCheck {
        @Override
        public List<Finding> run() {
            return List.of(Finding.wrong("ordering", "the server objects"));
        }

        @Override
        public Problem waitingFor() {
            return new Problem("ordering", "the server");
        }

        @Override
        public void close() {
            // Nothing is open.
        }
    }

    /** A credentials provider has settings that only it knows. */
    @Test
    void complainsOfASettingThatIsNotItsOwn() {
        type.setProblems(List.of(new Problem("of.a.provider", "is missing"), new Problem("of.a.provider", "is odd")));

        assertThat(complaints(connector.validate(Map.of()), "of.a.provider")).containsExactly("is missing", "is odd");
    }

    @Test
    void refusesAConsumerThatCommitsWhatIsNotWritten() {
        String key = "consumer.override.enable.auto.commit";

        assertThat(complaints(connector.validate(Map.of(key, " True")), key))
                .singleElement()
                .asString()
                .contains("a crash would lose these records: remove it");
        assertThat(complaints(connector.validate(Map.of(key, "false")), key)).isEmpty();
    }

    @Test
    void letsOffsetsBeAltered() {
        assertThat(connector.alterOffsets(Map.of(), Map.of(Records.partition(0), 5L)))
                .isTrue();
    }

    @Test
    void hasTheVersionAndSettingsOfItsSink() {
        assertThat(connector.version()).isEqualTo("1.2.3");
        assertThat(connector.config().names()).contains("batch.size", "max.retries", "buffer.max.bytes");
    }
}
