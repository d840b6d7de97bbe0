package io.tidegate.connect.common.override;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ErrorOverridesTest {
    /** Letters are codes; refusing at X is dangerous. */
    private static final ErrorCodes LETTERS = new ErrorCodes() {
        @Override
        public String canonical(String code) {
            if (!code.matches("[a-zA-Z]")) {
                throw new IllegalArgumentException("'" + code + "' is no letter");
            }
            return code.toUpperCase(Locale.ROOT);
        }

        @Override
        public Optional<String> dangerOfRefusing(String code) {
            return code.equals("X") ? Optional.of("it is the server") : Optional.empty();
        }
    };

    private static ErrorOverrides overrides(String setting) {
        ConfigDef def = ErrorOverrides.define(new ConfigDef(), LETTERS, "");
        return ErrorOverrides.from(new AbstractConfig(def, Map.of(ErrorOverrides.ERROR_OVERRIDES, setting)), LETTERS);
    }

    @Test
    void readsActionsAndUnitsInAnyCase() {
        assertThat(overrides(
                                "a:Retry:10M, b : REFUSE , c:dlq,d:fail,e:retry,f:retry:1500ms,g:ignore,h:Warn,i:retry:1h:dlq")
                        .all())
                .map(ErrorOverride::toString)
                .containsExactly(
                        "A:retry:600s",
                        "B:refuse",
                        "C:refuse",
                        "D:fail",
                        "E:retry",
                        "F:retry:1500ms",
                        "G:ignore",
                        "H:warn",
                        "I:retry:3600s:refuse");
        assertThat(overrides("").isEmpty()).isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "a | 'a' is not CODE:ACTION or CODE:retry:TIME:ACTION",
                "a:retry:1m:2 | '2' is no action",
                "a:retry:1m:dlq:2 | 'a:retry:1m:dlq:2' is not CODE:ACTION",
                "1:retry | '1' is no letter",
                "a:skip | 'skip' is no action; use retry, refuse (or dlq, which means the same), ignore, warn or fail",
                "a:retry:10 | '10' is no time",
                "a:retry:0s | '0s' is not between 1ms and 7d",
                "a:retry:8d | '8d' is not between 1ms and 7d",
                "a:fail:1m | 'a:fail:1m': only retry takes a time",
                "x:refuse | 'x:refuse': it is the server",
                "x:dlq | 'x:dlq': it is the server",
                "x:ignore | 'x:ignore': it is the server",
                "x:retry:1h:warn | 'x:retry:1h:warn': it is the server",
                "a:retry, A:fail | A is there twice",
            })
    void rejectsWhatItCannotMean(String setting, String reason) {
        assertThatThrownBy(() -> overrides(setting))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(ErrorOverrides.ERROR_OVERRIDES)
                .hasMessageContaining(reason);
    }
}
