package io.tidegate.connect.jsonb.settings;

import io.tidegate.connect.common.override.ErrorCodes;
import io.tidegate.connect.common.override.ErrorOverrides;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;

/** SQLSTATEs and their classes, as codes of {@code error.overrides}. Stateless. */
public final class SqlStateCodes implements ErrorCodes {
    private static final int CLASS_LENGTH = 2;

    /** A class and a condition, or a class alone, which may be written {@code 23*}. */
    private static final Pattern STATE = Pattern.compile("[0-9A-Z]{2}([0-9A-Z]{3}|\\*)?");

    /** States and classes that say nothing about a record. Source: PostgreSQL documentation, appendix A. */
    private static final Map<String, String> NOT_OF_RECORDS = Map.ofEntries(
            Map.entry("08", "the connection was lost"),
            Map.entry("25", "the server is read-only, or the transaction was ended"),
            Map.entry("28", "the server does not accept the user"),
            Map.entry("3D", "there is no such database"),
            Map.entry("40", "another transaction got in the way"),
            Map.entry("53", "the server has no room, memory or connection left"),
            Map.entry("55", "another transaction holds a lock, or the server is not in the state for it"),
            Map.entry("57", "the server shuts down, or the statement was cancelled"),
            Map.entry("58", "the server's operating system failed"),
            Map.entry("72", "the server's snapshot is too old"),
            Map.entry("F0", "the server's configuration is at fault"),
            Map.entry("XX", "the server failed"));

    /** An internal error may come from one value. */
    private static final String INTERNAL_ERROR = "XX000";

    public static ConfigDef define(ConfigDef def) {
        return ErrorOverrides.define(
                def,
                new SqlStateCodes(),
                "A code is an SQLSTATE such as `23503`, or a class such as `23`. An SQLSTATE has priority over its class."
                        + " For example, `23503:retry:10m, 42P01:refuse` waits ten minutes for the"
                        + " row that a foreign key names, and refuses the records of a missing table.");
    }

    public static ErrorOverrides from(AbstractConfig config) {
        return ErrorOverrides.from(config, new SqlStateCodes());
    }

    /** The codes that fit a state, the most specific one first. */
    public static List<String> of(String state) {
        return state.length() < CLASS_LENGTH ? List.of() : List.of(state, state.substring(0, CLASS_LENGTH));
    }

    @Override
    public String canonical(String code) {
        String state = code.toUpperCase(Locale.ROOT);
        if (!STATE.matcher(state).matches()) {
            throw new IllegalArgumentException(
                    "'" + code
                            + "' is no SQLSTATE: write its five characters, such as 23503, or the two of its class, such as 23");
        }
        return state.endsWith("*") ? state.substring(0, CLASS_LENGTH) : state;
    }

    @Override
    public Optional<String> dangerOfRefusing(String code) {
        return code.equals(INTERNAL_ERROR)
                ? Optional.empty()
                : Optional.ofNullable(NOT_OF_RECORDS.get(code.substring(0, CLASS_LENGTH)))
                        .map(why -> "the error says that " + why + ", which is no fault of a record: every record"
                                + " would go to the dead letter queue; use retry or fail");
    }
}
