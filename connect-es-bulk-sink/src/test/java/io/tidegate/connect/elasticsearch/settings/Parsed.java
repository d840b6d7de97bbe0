package io.tidegate.connect.elasticsearch.settings;

import java.util.Map;
import java.util.function.UnaryOperator;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;

/** A configuration of some of the sink's settings. */
final class Parsed {
    private Parsed() {}

    static AbstractConfig config(UnaryOperator<ConfigDef> define, Map<String, String> props) {
        return new AbstractConfig(define.apply(new ConfigDef()), props, false);
    }
}
