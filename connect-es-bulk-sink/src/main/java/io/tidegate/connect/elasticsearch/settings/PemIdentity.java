package io.tidegate.connect.elasticsearch.settings;

import static java.util.Objects.requireNonNull;

import org.apache.kafka.common.config.types.Password;

/**
 * A certificate of the sink's own, for servers that ask their clients for one.
 *
 * @param certificate a file of PEM certificates, the sink's first, or their text; empty for none
 * @param key a file with the PEM key, or its text
 * @param keyPassword of an encrypted key; empty for none
 */
public record PemIdentity(String certificate, Password key, Password keyPassword) {
    public PemIdentity {
        requireNonNull(certificate, "certificate");
        requireNonNull(key, "key");
        requireNonNull(keyPassword, "keyPassword");
    }

    public boolean isSet() {
        return !certificate.isEmpty();
    }
}
