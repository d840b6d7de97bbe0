package io.tidegate.connect.common.override;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.settings.SettingGroup;
import io.tidegate.connect.common.time.Milestones;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The errors that one task handles in another way than the failure table says. Any thread. */
public final class ErrorOverrides {
    public static final String ERROR_OVERRIDES = "error.overrides";

    /** Every error is handled as the failure table says. */
    public static final ErrorOverrides NONE = new ErrorOverrides(Map.of());

    private static final Logger log = LoggerFactory.getLogger(ErrorOverrides.class);

    private final Map<String, ErrorOverride> byCode;
    private final Map<String, AtomicLong> met = new ConcurrentHashMap<>(); // how often, by code

    private ErrorOverrides(Map<String, ErrorOverride> byCode) {
        this.byCode = requireNonNull(byCode, "byCode");
    }

    /**
     * Defines the setting.
     *
     * @param codes of the sink's server
     * @param documentation what a code is, with an example; a sentence or more
     */
    public static ConfigDef define(ConfigDef def, ErrorCodes codes, String documentation) {
        return new SettingGroup(def, "Failures")
                .list(ERROR_OVERRIDES, "Error overrides")
                .parsedBy("a list of `CODE:ACTION` or `CODE:retry:TIME:ACTION`", texts -> parse(texts, codes))
                .low("Actions for single errors, instead of those of the failure table: a list of `CODE:ACTION`,"
                        + " `CODE:retry:TIME` or `CODE:retry:TIME:ACTION`. "
                        + documentation
                        + " Actions are `retry` (as in an outage), `refuse` or `dlq` (refuse this"
                        + " record alone), `ignore` (skip it), `warn` (skip and log it) and `fail` (fail the task)."
                        + " After a time such as `30s`, `10m` or `2h` the failure table applies, or the last action.")
                .configDef();
    }

    public static ErrorOverrides from(AbstractConfig config, ErrorCodes codes) {
        return parse(config.getList(ERROR_OVERRIDES), codes);
    }

    /**
     * Reads the setting.
     *
     * @throws IllegalArgumentException with the reason why it is not valid
     */
    static ErrorOverrides parse(List<String> texts, ErrorCodes codes) {
        Map<String, ErrorOverride> byCode = new LinkedHashMap<>();
        for (String text : texts) {
            ErrorOverride override = ErrorOverride.parse(text, codes);
            if (byCode.put(override.code(), override) != null) {
                throw new IllegalArgumentException(override.code() + " is there twice");
            }
        }
        return new ErrorOverrides(byCode);
    }

    public boolean isEmpty() {
        return byCode.isEmpty();
    }

    public Collection<ErrorOverride> all() {
        return byCode.values();
    }

    /**
     * The override of an error.
     *
     * @param codes of the error in their canonical form, the most specific one first
     */
    public Optional<ErrorOverride> of(List<String> codes) {
        return isEmpty()
                ? Optional.empty()
                : codes.stream().map(byCode::get).filter(each -> each != null).findFirst();
    }

    /** Logs that an override applied: once, and with {@code warn} at {@link Milestones} of errors. */
    public void say(ErrorOverride applied, String error) {
        long count =
                met.computeIfAbsent(applied.code(), code -> new AtomicLong()).incrementAndGet();
        if (count == 1) {
            log.info("error.overrides {} applies from now on; the first error is: {}", applied, error);
        } else if (Milestones.isPassed(count - 1, count)
                && applied.then().orElse(applied.action()) == ErrorOverride.Action.WARN) {
            log.warn("error.overrides {} has applied to {} errors; the last one is: {}", applied, count, error);
        }
    }
}
