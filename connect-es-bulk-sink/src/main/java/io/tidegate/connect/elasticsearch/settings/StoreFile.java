package io.tidegate.connect.elasticsearch.settings;

import static java.util.Objects.requireNonNull;

import org.apache.kafka.common.config.types.Password;

/**
 * A store of certificates or keys in a file.
 *
 * @param location the path of the file; empty for none
 * @param password of the store; empty for none
 * @param type {@code PKCS12}, {@code JKS} or another that the JVM knows, or {@code PEM} as in Kafka's own clients
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

    /** Whether the file holds PEM blocks. */
    public boolean isPem() {
        return isSet() && type.equalsIgnoreCase("PEM");
    }
}
