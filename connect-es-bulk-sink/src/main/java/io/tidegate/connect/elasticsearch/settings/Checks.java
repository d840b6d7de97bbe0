package io.tidegate.connect.elasticsearch.settings;

import java.util.function.Consumer;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;

/** Checks of single settings, for {@link ConfigDef}. */
final class Checks {
    private Checks() {}

    /**
     * A check that parses the value.
     *
     * @param rule what is allowed, for the reference page
     * @param parser throws {@link IllegalArgumentException} with the reason when it is not
     */
    @SuppressWarnings("unchecked")
    static <T> ConfigDef.Validator parses(String rule, Consumer<T> parser) {
        return ConfigDef.LambdaValidator.with(
                (key, value) -> {
                    if (value == null) {
                        return;
                    }
                    try {
                        parser.accept((T) value);
                    } catch (IllegalArgumentException e) {
                        throw new ConfigException(key, value, e.getMessage());
                    }
                },
                () -> rule);
    }
}
