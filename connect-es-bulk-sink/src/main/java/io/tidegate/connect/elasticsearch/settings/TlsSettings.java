package io.tidegate.connect.elasticsearch.settings;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.settings.EnumSetting;
import io.tidegate.connect.common.settings.Problem;
import io.tidegate.connect.common.settings.SettingGroup;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Width;

/**
 * The certificates that are trusted over TLS, and the sink's own certificate.
 *
 * @param ca a file of PEM certificates or their text; empty for none
 * @param caFingerprint the SHA-256 fingerprint of an authority in hexadecimal digits, as Elasticsearch prints it; empty
 *     for none
 * @param trustStore authorities in a Java store
 * @param verification how much of the server's certificate is verified
 * @param identity the sink's own certificate, PEM
 * @param keyStore the sink's own certificate in a Java store
 */
public record TlsSettings(
        String ca,
        String caFingerprint,
        StoreFile trustStore,
        VerificationMode verification,
        PemIdentity identity,
        StoreFile keyStore) {
    public static final String SSL_CA = "ssl.ca";
    public static final String SSL_CA_FINGERPRINT = "ssl.ca.fingerprint";
    public static final String SSL_TRUSTSTORE_LOCATION = "ssl.truststore.location";
    public static final String SSL_TRUSTSTORE_PASSWORD = "ssl.truststore.password";
    public static final String SSL_TRUSTSTORE_TYPE = "ssl.truststore.type";
    public static final String SSL_VERIFICATION_MODE = "ssl.verification.mode";
    public static final String SSL_CERTIFICATE = "ssl.certificate";
    public static final String SSL_KEY = "ssl.key";
    public static final String SSL_KEY_PASSWORD = "ssl.key.password";
    public static final String SSL_KEYSTORE_LOCATION = "ssl.keystore.location";
    public static final String SSL_KEYSTORE_PASSWORD = "ssl.keystore.password";
    public static final String SSL_KEYSTORE_TYPE = "ssl.keystore.type";

    private static final int FINGERPRINT_DIGITS = 64;

    public TlsSettings {
        requireNonNull(ca, "ca");
        requireNonNull(caFingerprint, "caFingerprint");
        requireNonNull(trustStore, "trustStore");
        requireNonNull(verification, "verification");
        requireNonNull(identity, "identity");
        requireNonNull(keyStore, "keyStore");
    }

    public static ConfigDef define(ConfigDef def) {
        SettingGroup group = trust(new SettingGroup(def, "TLS"));
        store(
                group,
                "Trust store",
                List.of(SSL_TRUSTSTORE_LOCATION, SSL_TRUSTSTORE_PASSWORD, SSL_TRUSTSTORE_TYPE),
                "A Java store of the certificate authorities to trust, instead of " + SSL_CA
                        + ": the path of a file on the worker. It is read again when it changes.");
        store(
                group,
                "Key store",
                List.of(SSL_KEYSTORE_LOCATION, SSL_KEYSTORE_PASSWORD, SSL_KEYSTORE_TYPE),
                "A Java store with the sink's certificate and key, for a server that asks its clients for a"
                        + " certificate, instead of " + SSL_CERTIFICATE
                        + ": the path of a file on the worker. It is read again when it changes.");
        return identity(group).configDef();
    }

    private static boolean isEncrypted(Object urls) {
        return String.valueOf(urls).contains("https://");
    }

    private static SettingGroup trust(SettingGroup group) {
        return group.text(SSL_CA, "Certificate authorities", "")
                .width(Width.LONG)
                .onlyIf(ConnectionSettings.CONNECTION_URL, TlsSettings::isEncrypted)
                .medium("The certificate authorities to trust: the path of a PEM file on the worker, such as"
                        + " Elasticsearch's http_ca.crt, or the PEM text. It may hold several certificates. A file is"
                        + " read again when it changes. Empty for the authorities that the worker's JVM trusts.")
                .text(SSL_CA_FINGERPRINT, "Fingerprint of the authority", "")
                .parsedBy("64 hexadecimal digits, with or without colons", TlsSettings::fingerprint)
                .width(Width.LONG)
                .onlyIf(ConnectionSettings.CONNECTION_URL, TlsSettings::isEncrypted)
                .medium("The SHA-256 fingerprint of the certificate authority to trust, instead of " + SSL_CA
                        + ". Elasticsearch prints it when it first starts. The server must send the authority's"
                        + " certificate together with its own, as Elasticsearch does.")
                .oneOf(SSL_VERIFICATION_MODE, "Verification", VerificationMode.FULL)
                .onlyIf(ConnectionSettings.CONNECTION_URL, TlsSettings::isEncrypted)
                .low("`full` verifies that a trusted authority issued the server's certificate and that the"
                        + " certificate names the host in " + ConnectionSettings.CONNECTION_URL
                        + ". `certificate` does not check the host name. `none` verifies nothing and is not safe.");
    }

    private static void store(SettingGroup group, String name, List<String> keys, String documentation) {
        group.text(keys.get(0), name, "")
                .width(Width.LONG)
                .onlyIf(ConnectionSettings.CONNECTION_URL, TlsSettings::isEncrypted)
                .low(documentation)
                .secret(keys.get(1), name + " password")
                .onlyIf(keys.get(0), SettingGroup::isSet)
                .low("The password of " + keys.get(0) + ".")
                .text(keys.get(2), name + " type", "PKCS12")
                .nonEmpty()
                .width(Width.SHORT)
                .onlyIf(keys.get(0), SettingGroup::isSet)
                .low("The format of " + keys.get(0)
                        + ": `PKCS12`, `JKS` or another that the worker's JVM knows, or `PEM`"
                        + " as for Kafka's own clients.");
    }

    private static SettingGroup identity(SettingGroup group) {
        return group.text(SSL_CERTIFICATE, "Certificate", "")
                .width(Width.LONG)
                .onlyIf(ConnectionSettings.CONNECTION_URL, TlsSettings::isEncrypted)
                .low("The sink's certificate, for a server that asks its clients for one: the path of a PEM file on the"
                        + " worker, or the PEM text. Certificates of intermediate authorities may follow. Needs "
                        + SSL_KEY
                        + ". A file is read again when it changes.")
                .secret(SSL_KEY, "Key")
                .width(Width.LONG)
                .onlyIf(ConnectionSettings.CONNECTION_URL, TlsSettings::isEncrypted)
                .low("The key of " + SSL_CERTIFICATE
                        + ": the path of a PEM file on the worker, or the PEM text. PKCS#8,"
                        + " encrypted or not, PKCS#1 (RSA) or SEC 1 (EC). It must belong to the certificate.")
                .secret(SSL_KEY_PASSWORD, "Key password")
                .onlyIf(ConnectionSettings.CONNECTION_URL, TlsSettings::isEncrypted)
                .low("The password of " + SSL_KEY + ", or of the key in " + SSL_KEYSTORE_LOCATION
                        + " if it differs from the store's.");
    }

    public static TlsSettings from(AbstractConfig config) {
        return new TlsSettings(
                config.getString(SSL_CA).trim(),
                fingerprint(config.getString(SSL_CA_FINGERPRINT)),
                new StoreFile(
                        config.getString(SSL_TRUSTSTORE_LOCATION).trim(),
                        config.getPassword(SSL_TRUSTSTORE_PASSWORD),
                        config.getString(SSL_TRUSTSTORE_TYPE).trim()),
                EnumSetting.read(config, SSL_VERIFICATION_MODE, VerificationMode.class),
                new PemIdentity(
                        config.getString(SSL_CERTIFICATE).trim(),
                        config.getPassword(SSL_KEY),
                        config.getPassword(SSL_KEY_PASSWORD)),
                new StoreFile(
                        config.getString(SSL_KEYSTORE_LOCATION).trim(),
                        config.getPassword(SSL_KEYSTORE_PASSWORD),
                        config.getString(SSL_KEYSTORE_TYPE).trim()));
    }

    private static String fingerprint(String text) {
        String digits = text.replace(":", "").trim().toLowerCase(Locale.ROOT);
        boolean hexadecimal = digits.chars().allMatch(c -> Character.digit(c, 16) >= 0);
        if (!digits.isEmpty() && (!hexadecimal || digits.length() != FINGERPRINT_DIGITS)) {
            throw new IllegalArgumentException("a SHA-256 fingerprint has 64 hexadecimal digits");
        }
        return digits;
    }

    /** Whether any setting differs from its default. */
    boolean isSet() {
        return !ca.isEmpty()
                || !caFingerprint.isEmpty()
                || trustStore.isSet()
                || identity.isSet()
                || keyStore.isSet()
                || verification != VerificationMode.FULL;
    }

    /** The settings that do not fit together. */
    public List<Problem> problems() {
        List<Problem> problems = new ArrayList<>();
        long trusts = Stream.of(!ca.isEmpty(), !caFingerprint.isEmpty(), trustStore.isSet())
                .filter(set -> set)
                .count();
        if (trusts > 1) {
            problems.add(new Problem(
                    ca.isEmpty() ? SSL_TRUSTSTORE_LOCATION : SSL_CA,
                    "set one of " + SSL_CA + ", " + SSL_CA_FINGERPRINT + " and " + SSL_TRUSTSTORE_LOCATION));
        }
        if (identity.isSet() && keyStore.isSet()) {
            problems.add(
                    new Problem(SSL_CERTIFICATE, "set one of " + SSL_CERTIFICATE + " and " + SSL_KEYSTORE_LOCATION));
        }
        if (identity.isSet() == identity.key().value().isEmpty()) {
            problems.add(new Problem(
                    identity.isSet() ? SSL_KEY : SSL_CERTIFICATE, "is missing: a certificate and its key go together"));
        }
        return problems;
    }

    /** Describes briefly what is trusted. A certificate is not secret, but its text is long. */
    @Override
    public String toString() {
        String source = !caFingerprint.isEmpty()
                ? "the authority " + caFingerprint
                : trustStore.isSet()
                        ? trustStore.location()
                        : ca.isEmpty() ? "the JVM" : ca.contains("-----BEGIN") ? "PEM text" : ca;
        String client = identity.isSet() || keyStore.isSet() ? ", a client certificate" : "";
        return "certificates from " + source + ", verification " + EnumSetting.text(verification) + client;
    }
}
