package io.tidegate.connect.elasticsearch.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.connect.common.override.ErrorOverride;
import io.tidegate.connect.common.override.ErrorOverrides;
import java.util.Map;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ElasticsearchErrorCodesTest {
    private static ErrorOverrides overrides(String setting) {
        return ElasticsearchErrorCodes.from(new AbstractConfig(
                ElasticsearchErrorCodes.define(new ConfigDef()), Map.of(ErrorOverrides.ERROR_OVERRIDES, setting)));
    }

    @Test
    void takesTypesWithOrWithoutTheirEndings() {
        assertThat(overrides("version_conflict:dlq, mapper_parsing_exception:fail, 404:retry:10m, 503:fail")
                        .all())
                .map(ErrorOverride::code)
                .containsExactly("version_conflict", "mapper_parsing", "404", "503");
        assertThat(ElasticsearchErrorCodes.of("version_conflict_engine_exception", 409))
                .containsExactly("version_conflict", "409");
        assertThat(ElasticsearchErrorCodes.of("", 502)).containsExactly("502");
    }

    @ParameterizedTest
    @ValueSource(strings = {"200", "4044", "version conflict", "4xx", "_exception", "*"})
    void rejectsWhatIsNoCode(String code) {
        assertThatThrownBy(() -> overrides(code + ":fail"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("'" + code + "' is neither");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"429", "503", "500", "401", "403", "security_exception", "es_rejected_execution", "cluster_block"
            })
    void refusesNoDocumentForAFaultOfTheServer(String code) {
        assertThatThrownBy(() -> overrides(code + ":dlq"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("every record would be given up");
    }

    @Test
    void aTypeMayNotBeWrittenTwice() {
        assertThatThrownBy(() -> overrides("version_conflict:fail, version_conflict_engine_exception:dlq"))
                .hasMessageContaining("version_conflict is there twice");
    }

    @Test
    void takesTheClassesOfFailures() {
        assertThat(overrides("Unusable_Index:dlq, blocked_index:ignore, server_error:retry:10m:dlq, failure_store:fail")
                        .all())
                .map(ErrorOverride::code)
                .containsExactly("unusable_index", "blocked_index", "server_error", "failure_store");
    }
}
