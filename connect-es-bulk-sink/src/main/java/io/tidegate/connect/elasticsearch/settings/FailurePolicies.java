package io.tidegate.connect.elasticsearch.settings;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.document.DestinationTemplates;
import io.tidegate.connect.common.settings.EnumSetting;
import io.tidegate.connect.common.settings.SettingGroup;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;

/**
 * How documents that are not written are handled, unless {@code error.overrides} says otherwise. Two reactions have
 * settings of their own, which users of other sinks know.
 *
 * @param byClass has all classes
 * @param names of indexes: where the name of an index depends on more than a record's topic, a record whose index takes
 *     nothing is refused, and others go on
 */
public record FailurePolicies(Map<FailureClass, Policy> byClass, DestinationTemplates names) {
    public static final String BEHAVIOR_ON_MALFORMED_DOCUMENTS = "behavior.on.malformed.documents";
    public static final String BEHAVIOR_ON_VERSION_CONFLICTS = "behavior.on.version.conflicts";

    private static final String ACTIONS =
            "`ignore` skips it, `warn` skips and logs it, `dlq` refuses it, `fail` fails the task.";

    public FailurePolicies {
        byClass = Map.copyOf(byClass);
        requireNonNull(names, "names");
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
                .low("What happens to a document whose external version is lower than the one in the index, that other"
                        + " writers change more often than Elasticsearch retries, or whose id, made by a time series,"
                        + " exists. With write.method=create other conflicts count as written. `retry` writes it again,"
                        + " but skips and logs a lower version or an existing id. " + ACTIONS)
                .configDef();
    }

    /** Typed values. */
    public static FailurePolicies from(AbstractConfig config, IndexSettings index) {
        Policy malformed = EnumSetting.read(config, BEHAVIOR_ON_MALFORMED_DOCUMENTS, Policy.class);
        Policy conflict = EnumSetting.read(config, BEHAVIOR_ON_VERSION_CONFLICTS, Policy.class);
        Policy lost = conflict == Policy.RETRY ? Policy.WARN : conflict;
        Map<FailureClass, Policy> byClass = new EnumMap<>(FailureClass.class);
        byClass.put(FailureClass.MALFORMED_DOCUMENT, malformed);
        byClass.put(FailureClass.CHANGED_DOCUMENT, conflict);
        byClass.put(FailureClass.STALE_DOCUMENT, lost);
        byClass.put(FailureClass.EXISTING_DOCUMENT, lost);
        byClass.put(FailureClass.MISSING_DOCUMENT, Policy.DLQ);
        byClass.put(FailureClass.BLOCKED_INDEX, Policy.RETRY);
        byClass.put(FailureClass.CLOSED_INDEX, Policy.RETRY);
        byClass.put(FailureClass.UNUSABLE_INDEX, Policy.FAIL);
        byClass.put(FailureClass.MISSING_PIPELINE, index.recordsNamePipelines() ? Policy.DLQ : Policy.FAIL);
        byClass.put(FailureClass.SERVER_ERROR, Policy.RETRY);
        byClass.put(FailureClass.FAILURE_STORE, Policy.WARN);
        return new FailurePolicies(byClass, index.names());
    }

    /** The policy for a document of a topic. */
    public Policy of(FailureClass failureClass, String topic) {
        boolean isOfIndex = failureClass == FailureClass.CLOSED_INDEX || failureClass == FailureClass.UNUSABLE_INDEX;
        return isOfIndex && !names.isOfTopicOnly(topic) ? Policy.DLQ : requireNonNull(byClass.get(failureClass));
    }
}
