package io.tidegate.connect.elasticsearch.settings;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Type;
import org.apache.kafka.common.config.ConfigDef.ValidString;

/**
 * What becomes of documents that are not written.
 *
 * @param byClass has all classes
 */
public record FailurePolicies(Map<FailureClass, Policy> byClass) {
    private static final String GROUP = "Failures";

    public FailurePolicies {
        byClass = Map.copyOf(byClass);
    }

    public static ConfigDef define(ConfigDef def) {
        int order = 0;
        for (FailureClass each : FailureClass.values()) {
            def.define(
                    each.setting(),
                    Type.STRING,
                    each.standard().settingName(),
                    ValidString.in(allowed(each)),
                    Importance.LOW,
                    "What becomes of " + each.what() + ": " + (each.isRetryable() ? "`retry` writes it again, " : "")
                            + "`ignore` passes it over, `warn` also logs it, `dlq` refuses it, so that it goes to the dead"
                            + " letter queue or fails the task as errors.tolerance says, `fail` fails the task.",
                    GROUP,
                    ++order,
                    ConfigDef.Width.SHORT,
                    each.name().charAt(0)
                            + each.name().substring(1).toLowerCase(Locale.ROOT).replace('_', ' '));
        }
        return def;
    }

    private static String[] allowed(FailureClass of) {
        return Arrays.stream(Policy.values())
                .filter(policy -> policy != Policy.RETRY || of.isRetryable())
                .map(Policy::settingName)
                .toArray(String[]::new);
    }

    public static FailurePolicies from(AbstractConfig config) {
        Map<FailureClass, Policy> policies = new EnumMap<>(FailureClass.class);
        for (FailureClass each : FailureClass.values()) {
            policies.put(each, Policy.valueOf(config.getString(each.setting()).toUpperCase(Locale.ROOT)));
        }
        return new FailurePolicies(policies);
    }

    public Policy of(FailureClass failureClass) {
        return byClass.get(failureClass);
    }
}
