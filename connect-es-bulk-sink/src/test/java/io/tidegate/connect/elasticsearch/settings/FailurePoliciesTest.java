package io.tidegate.connect.elasticsearch.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.apache.kafka.common.config.ConfigException;
import org.junit.jupiter.api.Test;

final class FailurePoliciesTest {
    @Test
    void defaults() {
        assertThat(policies(Map.of()).byClass())
                .isEqualTo(Map.ofEntries(
                        Map.entry(FailureClass.MALFORMED_DOCUMENT, Policy.DLQ),
                        Map.entry(FailureClass.CHANGED_DOCUMENT, Policy.RETRY),
                        Map.entry(FailureClass.STALE_DOCUMENT, Policy.WARN),
                        Map.entry(FailureClass.EXISTING_DOCUMENT, Policy.WARN),
                        Map.entry(FailureClass.MISSING_DOCUMENT, Policy.DLQ),
                        Map.entry(FailureClass.BLOCKED_INDEX, Policy.RETRY),
                        Map.entry(FailureClass.CLOSED_INDEX, Policy.RETRY),
                        Map.entry(FailureClass.UNUSABLE_INDEX, Policy.FAIL),
                        Map.entry(FailureClass.MISSING_PIPELINE, Policy.FAIL),
                        Map.entry(FailureClass.SERVER_ERROR, Policy.RETRY),
                        Map.entry(FailureClass.FAILURE_STORE, Policy.WARN)));
    }

    @Test
    void allKeys() {
        FailurePolicies policies =
                policies(Map.of("behavior.on.malformed.documents", "ignore", "behavior.on.version.conflicts", "dlq"));
        assertThat(policies.of(FailureClass.MALFORMED_DOCUMENT, "tides")).isEqualTo(Policy.IGNORE);
        assertThat(policies.of(FailureClass.CHANGED_DOCUMENT, "tides")).isEqualTo(Policy.DLQ);
        assertThat(policies.of(FailureClass.STALE_DOCUMENT, "tides")).isEqualTo(Policy.DLQ);
    }

    @Test
    void neverWritesAgainWhatIsOlderThanTheIndex() {
        FailurePolicies policies = policies(Map.of("behavior.on.version.conflicts", "retry"));
        assertThat(policies.of(FailureClass.CHANGED_DOCUMENT, "tides")).isEqualTo(Policy.RETRY);
        assertThat(policies.of(FailureClass.STALE_DOCUMENT, "tides")).isEqualTo(Policy.WARN);
    }

    @Test
    void refusesRecordsWithAnUnusableIndexWhereTheyNameIt() {
        FailurePolicies policies = policies(Map.of(), Map.of("index.name", "${key}"));
        assertThat(policies.of(FailureClass.UNUSABLE_INDEX, "tides")).isEqualTo(Policy.DLQ);
        assertThat(policies.of(FailureClass.CLOSED_INDEX, "tides")).isEqualTo(Policy.DLQ);
        assertThat(policies.of(FailureClass.MISSING_PIPELINE, "tides")).isEqualTo(Policy.FAIL);
    }

    @Test
    void aTopicWhoseIndexHasADateSaysNothingOfOthers() {
        FailurePolicies policies = policies(Map.of(), Map.of("topic.index.map", "logs:logs-${timestamp:yyyy}"));
        assertThat(policies.of(FailureClass.CLOSED_INDEX, "tides")).isEqualTo(Policy.RETRY);
        assertThat(policies.of(FailureClass.UNUSABLE_INDEX, "tides")).isEqualTo(Policy.FAIL);
        assertThat(policies.of(FailureClass.CLOSED_INDEX, "logs")).isEqualTo(Policy.DLQ);
        assertThat(policies.of(FailureClass.UNUSABLE_INDEX, "logs")).isEqualTo(Policy.DLQ);
    }

    @Test
    void refusesRecordsWithAMissingPipelineWhereTheyNameIt() {
        FailurePolicies policies = policies(Map.of(), Map.of("pipeline", "${header:p}"));
        assertThat(policies.of(FailureClass.MISSING_PIPELINE, "tides")).isEqualTo(Policy.DLQ);
        assertThat(policies.of(FailureClass.UNUSABLE_INDEX, "tides")).isEqualTo(Policy.FAIL);
    }

    @Test
    void triesAgainOnlyWhereThatMayHelp() {
        assertThatThrownBy(() -> policies(Map.of("behavior.on.malformed.documents", "retry")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("behavior.on.malformed.documents");
    }

    private static FailurePolicies policies(Map<String, String> props) {
        return policies(props, Map.of());
    }

    private static FailurePolicies policies(Map<String, String> props, Map<String, String> index) {
        return FailurePolicies.from(
                Parsed.config(FailurePolicies::define, props),
                IndexSettings.from(Parsed.config(IndexSettings::define, index)));
    }
}
