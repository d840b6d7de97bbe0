package io.tidegate.connect.jsonb.settings;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.credentials.CredentialsSettings;
import io.tidegate.connect.common.settings.EnumSetting;
import java.util.Properties;
import org.apache.kafka.common.config.types.Password;
import org.postgresql.Driver;
import org.postgresql.PGProperty;
import org.postgresql.ds.common.BaseDataSource;

/**
 * A server and the login to it. Connectors of a worker with equal logins and limits share connections.
 *
 * @param url a JDBC URL of pgjdbc, with one or more hosts
 * @param user empty when the URL names it
 * @param password empty when the URL or a password file holds it, or a provider is asked
 * @param credentials who is asked for the password of each session, if anyone is
 * @param durability of every session's commits
 */
public record ServerLogin(
        String url, String user, Password password, CredentialsSettings credentials, CommitDurability durability) {
    public ServerLogin {
        requireNonNull(url, "url");
        requireNonNull(user, "user");
        requireNonNull(password, "password");
        requireNonNull(credentials, "credentials");
        requireNonNull(durability, "durability");
    }

    /** Sets the URL, user and password. The URL sets other properties too: set those afterwards. */
    public void apply(BaseDataSource source) {
        source.setUrl(url);
        if (!user.isEmpty()) {
            source.setUser(user);
        }
        if (!password.value().isEmpty()) {
            source.setPassword(password.value());
        }
    }

    /** Whether the URL sets a driver property. */
    public boolean sets(PGProperty property) {
        Properties inUrl = Driver.parseURL(url, null);
        return inUrl != null && inUrl.getProperty(property.getName()) != null;
    }

    /** Hosts, ports and database of the URL. Its other parts may contain secrets and are left out. */
    public String server() {
        return ServerAddress.of(url);
    }

    @Override
    public String toString() {
        return server() + " as " + (user.isEmpty() ? "the URL's user" : user)
                + (credentials.isNone() ? "" : " with " + credentials)
                + (durability == CommitDurability.SERVER
                        ? ""
                        : " with " + ConnectionSettings.COMMIT_DURABILITY + "=" + EnumSetting.text(durability));
    }
}
