package io.tidegate.connect.common.credentials;

import io.tidegate.connect.common.settings.Problem;
import io.tidegate.connect.common.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import org.apache.kafka.common.config.ConfigException;

/**
 * A module with a kind of credentials. It is a service of the plugin, so that the core does not depend on it. Looking for
 * one makes an object of each, so its constructor must not load what only its provider needs.
 */
public interface CredentialsProviders {
    /** The value of {@link CredentialsSettings#PROVIDER} that chooses it. */
    String name();

    /** The settings that are missing or cannot be used. It contacts no server. */
    List<Problem> problems(CredentialsSettings settings);

    /**
     * A provider for one client of a worker. It contacts no server yet.
     *
     * @throws ConfigException when the settings cannot be used
     */
    CredentialsProvider open(CredentialsSettings settings, Clock clock);

    /** The module with this name; empty when the plugin's folder has none. */
    static Optional<CredentialsProviders> named(String name) {
        for (CredentialsProviders providers :
                ServiceLoader.load(CredentialsProviders.class, CredentialsProviders.class.getClassLoader())) {
            if (providers.name().equals(name)) {
                return Optional.of(providers);
            }
        }
        return Optional.empty();
    }
}
