package io.tidegate.connect.elasticsearch.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.config.ConfigException;
import org.junit.jupiter.api.Test;

final class FailurePoliciesTest {
    @Test
    void defaults() {
        assertThat(policies(Map.of()).byClass())
                .isEqualTo(Map.of(
                        FailureClass.MALFORMED, Policy.DLQ,
                        FailureClass.ID, Policy.DLQ,
                        FailureClass.CONFLICT, Policy.RETRY,
                        FailureClass.STALE, Policy.WARN,
                        FailureClass.INDEX, Policy.FAIL,
                        FailureClass.MISSING, Policy.DLQ,
                        FailureClass.BLOCKED, Policy.RETRY,
                        FailureClass.PIPELINE, Policy.FAIL,
                        FailureClass.SERVER_ERROR, Policy.RETRY,
                        FailureClass.FAILURE_STORE, Policy.WARN));
    }

    @Test
    void allKeys() {
        Map<String, String> props = new HashMap<>();
        for (FailureClass each : FailureClass.values()) {
            props.put(each.setting(), "ignore");
        }
        assertThat(policies(props).byClass().values()).containsOnly(Policy.IGNORE);
    }

    @Test
    void refusesRecordsWithAnUnusableIndexWhereTheyNameIt() {
        FailurePolicies policies = policies(Map.of(), Map.of("index.name", "${key}"));
        assertThat(policies.of(FailureClass.INDEX)).isEqualTo(Policy.DLQ);
        assertThat(policies.of(FailureClass.PIPELINE)).isEqualTo(Policy.FAIL);
    }

    @Test
    void refusesRecordsWithAMissingPipelineWhereTheyNameIt() {
        FailurePolicies policies = policies(Map.of(), Map.of("pipeline", "${header:p}"));
        assertThat(policies.of(FailureClass.PIPELINE)).isEqualTo(Policy.DLQ);
        assertThat(policies.of(FailureClass.INDEX)).isEqualTo(Policy.FAIL);
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
