package io.tidegate.connect.common.settings;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.types.Password;

/**
 * One setting that cannot stay as it is. The settings of a concern list their rules as {@link #when}, and {@link #of} gives
 * those that are broken.
 *
 * @param key the setting to change
 * @param message what is wrong with it and what would be right; no secrets
 */
public record Problem(String key, String message) {
    /** The problem of a broken rule; empty if it is not broken. */
    public static Optional<Problem> when(boolean isBroken, String key, String message) {
        return isBroken ? Optional.of(new Problem(key, message)) : Optional.empty();
    }

    /** The problem of a user name without a password, or a password without a user name. */
    public static Optional<Problem> unpaired(String userKey, String user, String passwordKey, Password password) {
        return when(
                user.isEmpty() != password.value().isEmpty(),
                user.isEmpty() ? userKey : passwordKey,
                "is missing: a user name and a password go together");
    }

    /**
     * The problem of settings that cannot be read; empty if they can.
     *
     * @param reading throws a {@link ConfigException} or {@link IllegalArgumentException} with the reason
     * @param advice follows the reason
     */
    public static Optional<Problem> ofReading(String key, Runnable reading, String advice) {
        try {
            reading.run();
            return Optional.empty();
        } catch (ConfigException | IllegalArgumentException e) {
            return Optional.of(new Problem(key, e.getMessage() + advice));
        }
    }

    /** The problems of a table of rules, in its order. */
    @SafeVarargs
    public static List<Problem> of(Optional<Problem>... rules) {
        List<Problem> problems = new ArrayList<>();
        for (Optional<Problem> rule : rules) {
            rule.ifPresent(problems::add);
        }
        return problems;
    }

    /**
     * Refuses settings that have problems.
     *
     * @throws ConfigException with the first of them
     */
    public static void refuse(List<Problem> problems) {
        if (!problems.isEmpty()) {
            Problem first = problems.get(0);
            throw new ConfigException(first.key() + ": " + first.message());
        }
    }
}
