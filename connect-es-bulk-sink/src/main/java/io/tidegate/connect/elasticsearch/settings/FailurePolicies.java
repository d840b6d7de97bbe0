package io.tidegate.connect.elasticsearch.settings;

import io.tidegate.connect.common.settings.EnumSetting;
import io.tidegate.connect.common.settings.SettingGroup;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;

/**
 * How documents that are not written are handled, unless {@code error.overrides} says otherwise. Two reactions have
 * settings of their own, which users of other sinks know.
 *
 * @param byClass has all classes
 */
public record FailurePolicies(Map<FailureClass, Policy> byClass) {
    public static final String BEHAVIOR_ON_MALFORMED_DOCUMENTS = "behavior.on.malformed.documents";
    public static final String BEHAVIOR_ON_VERSION_CONFLICTS = "behavior.on.version.conflicts";

    private static final String ACTIONS =
            "`ignore` skips it, `warn` skips and logs it, `dlq` refuses it, `fail` fails the task.";

    public FailurePolicies {
        byClass = Map.copyOf(byClass);
    }

    public static ConfigDef define(ConfigDef def) {
        return new SettingGroup(def, "Failures")
                .oneOf(
                        BEHAVIOR_ON_MALFORMED_DOCUMENTS,
                        "Malformed documents",
                        Policy.DLQ,
                        List.of(Policy.IGNORE, Policy.WARN, Policy.DLQ, Policy.FAIL))
                .low("What happens to a document that is no JSON object, lacks a part that settings need (version,"
                        + " routing, pipeline, time), does not fit the mapping or an ingest pipeline (400), or is too"
                        + " large even alone (413). " + ACTIONS)
                .oneOf(BEHAVIOR_ON_VERSION_CONFLICTS, "Version conflicts", Policy.RETRY, List.of(Policy.values()))
                .low("What happens to a document whose external version is lower than the one in the index, or that"
                        + " other writers change more often than Elasticsearch retries. With write.method=create a"
                        + " conflict counts as written. `retry` writes it again, but skips and logs a lower version."
                        + " " + ACTIONS)
                .configDef();
    }

    /**
     * Typed values.
     *
     * @param index whether one record's name of an index or pipeline may be unusable
     */
    public static FailurePolicies from(AbstractConfig config, IndexSettings index) {
        Policy malformed = EnumSetting.read(config, BEHAVIOR_ON_MALFORMED_DOCUMENTS, Policy.class);
        Policy conflict = EnumSetting.read(config, BEHAVIOR_ON_VERSION_CONFLICTS, Policy.class);
        return new FailurePolicies(Map.of(
                FailureClass.MALFORMED_DOCUMENT,
                malformed,
                FailureClass.CHANGED_DOCUMENT,
                conflict,
                FailureClass.STALE_DOCUMENT,
                conflict == Policy.RETRY ? Policy.WARN : conflict,
                FailureClass.MISSING_DOCUMENT,
                Policy.DLQ,
                FailureClass.BLOCKED_INDEX,
                Policy.RETRY,
                FailureClass.CLOSED_INDEX,
                index.recordsNameIndexes() ? Policy.DLQ : Policy.RETRY,
                FailureClass.UNUSABLE_INDEX,
                index.recordsNameIndexes() ? Policy.DLQ : Policy.FAIL,
                FailureClass.MISSING_PIPELINE,
                index.recordsNamePipelines() ? Policy.DLQ : Policy.FAIL,
                FailureClass.SERVER_ERROR,
                Policy.RETRY,
                FailureClass.FAILURE_STORE,
                Policy.WARN));
    }

    public Policy of(FailureClass failureClass) {
        return byClass.get(failureClass);
    }
}
