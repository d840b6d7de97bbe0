package io.tidegate.connect.elasticsearch.settings;

import static java.util.Objects.requireNonNull;

import org.apache.kafka.common.config.types.Password;

/**
 * A store of certificates or keys in Java's formats.
 *
 * @param location the path of the file; empty for none
 * @param password of the store; empty for none
 * @param type {@code PKCS12}, {@code JKS} or another that the JVM knows
 */
public record StoreFile(String location, Password password, String type) {
    public StoreFile {
        requireNonNull(location, "location");
        requireNonNull(password, "password");
        requireNonNull(type, "type");
    }

    public boolean isSet() {
        return !location.isEmpty();
    }
}
