package io.tidegate.connect.elasticsearch.settings;

import io.tidegate.connect.common.settings.EnumSetting;
import io.tidegate.connect.common.settings.SettingGroup;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;

/**
 * How documents that are not written are handled.
 *
 * @param byClass has all classes
 */
public record FailurePolicies(Map<FailureClass, Policy> byClass) {

    public FailurePolicies {
        byClass = Map.copyOf(byClass);
    }

    public static ConfigDef define(ConfigDef def) {
        SettingGroup group = new SettingGroup(def, "Failures");
        for (FailureClass each : FailureClass.values()) {
            group.oneOf(each.setting(), each.displayName(), each.standard(), allowed(each))
                    .onlyIf(DocumentSettings.WRITE_METHOD, method -> each.occursWith(WriteMethod.of((String) method)))
                    .low("What happens to " + each.what() + ": "
                            + (each.standard() == Policy.AUTO
                                    ? "`auto` means `dlq` if the name depends on more than the topic, otherwise `fail`, "
                                    : "")
                            + (each.isRetryable() ? "`retry` writes it again, " : "")
                            + "`ignore` skips it, `warn` skips and logs it, `dlq` refuses it, so that it goes to the"
                            + " dead letter queue or fails the task as errors.tolerance says, `fail` fails the task.");
        }
        return def;
    }

    private static List<Policy> allowed(FailureClass of) {
        return Arrays.stream(Policy.values())
                .filter(policy -> policy != Policy.RETRY || of.isRetryable())
                .filter(policy -> policy != Policy.AUTO || of.standard() == Policy.AUTO)
                .toList();
    }

    /**
     * Typed values.
     *
     * @param index whether one record's name of an index or pipeline may be unusable
     */
    public static FailurePolicies from(AbstractConfig config, IndexSettings index) {
        Map<FailureClass, Policy> policies = new EnumMap<>(FailureClass.class);
        for (FailureClass each : FailureClass.values()) {
            Policy policy = EnumSetting.read(config, each.setting(), Policy.class);
            boolean ofRecord =
                    each == FailureClass.PIPELINE ? index.recordsNamePipelines() : index.recordsNameIndexes();
            Policy auto = ofRecord ? Policy.DLQ : Policy.FAIL;
            policies.put(each, policy == Policy.AUTO ? auto : policy);
        }
        return new FailurePolicies(policies);
    }

    public Policy of(FailureClass failureClass) {
        return byClass.get(failureClass);
    }
}
