package io.tidegate.connect.common.tls;

import static io.tidegate.connect.common.settings.Problem.when;
import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.settings.EnumSetting;
import io.tidegate.connect.common.settings.Problem;
import io.tidegate.connect.common.settings.SettingGroup;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.types.Password;

/**
 * The certificates that are trusted over TLS, and the sink's own certificate.
 *
 * @param authorities to trust; not set for the JVM's
 * @param caFingerprint the SHA-256 fingerprint of an authority in hexadecimal digits, as Elasticsearch prints it; empty
 *     for none
 * @param verification how much of the server's certificate is verified
 * @param certificate the sink's own, or a store with it and its key; not set for none
 * @param key of that certificate; for a store, only the key's password counts
 */
public record TlsSettings(
        KeyMaterial authorities,
        String caFingerprint,
        VerificationMode verification,
        KeyMaterial certificate,
        KeyMaterial key) {
    public static final String SSL_CA = "ssl.ca";
    public static final String SSL_CA_FINGERPRINT = "ssl.ca.fingerprint";
    public static final String SSL_TRUSTSTORE_LOCATION = "ssl.truststore.location";
    public static final String SSL_TRUSTSTORE_PASSWORD = "ssl.truststore.password";
    public static final String SSL_VERIFICATION_MODE = "ssl.verification.mode";
    public static final String SSL_CERTIFICATE = "ssl.certificate";
    public static final String SSL_KEY = "ssl.key";
    public static final String SSL_KEY_PASSWORD = "ssl.key.password";
    public static final String SSL_KEYSTORE_LOCATION = "ssl.keystore.location";
    public static final String SSL_KEYSTORE_PASSWORD = "ssl.keystore.password";

    /** The sinks' setting with the URLs of the servers. */
    private static final String CONNECTION_URL = "connection.url";

    private static final int FINGERPRINT_DIGITS = 64;

    public TlsSettings {
        requireNonNull(authorities, "authorities");
        requireNonNull(caFingerprint, "caFingerprint");
        requireNonNull(verification, "verification");
        requireNonNull(certificate, "certificate");
        requireNonNull(key, "key");
    }

    /** Only files, in settings of which each begins with the prefix. The key has the password of its store. */
    public static TlsSettings ofFiles(
            String prefix, String authorities, Password password, String certificate, Password keyPassword) {
        String own = prefix + SSL_KEYSTORE_LOCATION;
        return new TlsSettings(
                new KeyMaterial(prefix + SSL_TRUSTSTORE_LOCATION, authorities, password),
                "",
                VerificationMode.FULL,
                new KeyMaterial(own, certificate, keyPassword),
                new KeyMaterial(own, certificate, keyPassword));
    }

    /** Adds the settings to a definition. */
    public static ConfigDef define(ConfigDef def) {
        SettingGroup group = trust(new SettingGroup(def, "TLS"));
        store(
                group,
                "Trust store",
                SSL_TRUSTSTORE_LOCATION,
                SSL_TRUSTSTORE_PASSWORD,
                "A store of the certificate authorities to trust, instead of " + SSL_CA
                        + ": a PKCS #12, JKS or PEM file on the worker. It is read again when it changes.");
        store(
                group,
                "Key store",
                SSL_KEYSTORE_LOCATION,
                SSL_KEYSTORE_PASSWORD,
                "A store with the sink's certificate and key, instead of " + SSL_CERTIFICATE
                        + ": a PKCS #12, JKS or PEM file on the worker. It is read again when it changes.");
        return identity(group).configDef();
    }

    private static SettingGroup trust(SettingGroup group) {
        return group.text(SSL_CA, "Certificate authorities", "")
                .medium("The certificate authorities to trust: the path of a PEM file on the worker, such as"
                        + " Elasticsearch's http_ca.crt, or the PEM text. A file is read again when it changes. Empty"
                        + " for the authorities that the worker's JVM trusts.")
                .text(SSL_CA_FINGERPRINT, "Fingerprint of the authority", "")
                .parsedBy("64 hexadecimal digits, with or without colons", TlsSettings::fingerprint)
                .medium("The SHA-256 fingerprint of the certificate authority to trust, instead of " + SSL_CA
                        + ". Elasticsearch prints it when it first starts. The server must send the authority's"
                        + " certificate with its own.")
                .oneOf(SSL_VERIFICATION_MODE, "Verification", VerificationMode.FULL)
                .low("`full` verifies that a trusted authority issued the server's certificate, and the host name in "
                        + CONNECTION_URL
                        + ". `certificate` does not check the host name. `none` verifies nothing and is not safe.");
    }

    private static void store(SettingGroup group, String name, String location, String password, String documentation) {
        group.text(location, name, "")
                .low(documentation)
                .secret(password, name + " password")
                .low("The password of " + location + ".");
    }

    private static SettingGroup identity(SettingGroup group) {
        return group.text(SSL_CERTIFICATE, "Certificate", "")
                .low("The sink's certificate, if the server asks for one: the path of a PEM file on the worker,"
                        + " or the PEM text, with intermediate authorities if there are any. Needs " + SSL_KEY + ". A"
                        + " file is read again when it changes.")
                .secret(SSL_KEY, "Key")
                .low("The key of " + SSL_CERTIFICATE
                        + ": the path of a PEM file on the worker, or the PEM text. PKCS#8,"
                        + " encrypted or not, PKCS#1 (RSA) or SEC 1 (EC). It must belong to the certificate.")
                .secret(SSL_KEY_PASSWORD, "Key password")
                .low("The password of " + SSL_KEY + ", or of the key in " + SSL_KEYSTORE_LOCATION
                        + " if it differs from the store's.");
    }

    public static TlsSettings from(AbstractConfig config) {
        KeyMaterial store = material(config, SSL_KEYSTORE_LOCATION, config.getPassword(SSL_KEYSTORE_PASSWORD));
        KeyMaterial authorities =
                material(config, SSL_TRUSTSTORE_LOCATION, config.getPassword(SSL_TRUSTSTORE_PASSWORD));
        Password ofKey = config.getPassword(SSL_KEY_PASSWORD);
        return new TlsSettings(
                authorities.isSet() ? authorities : material(config, SSL_CA, new Password("")),
                fingerprint(config.getString(SSL_CA_FINGERPRINT)),
                EnumSetting.read(config, SSL_VERIFICATION_MODE, VerificationMode.class),
                store.isSet() ? store : material(config, SSL_CERTIFICATE, new Password("")),
                store.isSet()
                        ? new KeyMaterial(
                                store.setting(), store.source(), ofKey.value().isEmpty() ? store.password() : ofKey)
                        : new KeyMaterial(SSL_KEY, config.getPassword(SSL_KEY), ofKey));
    }

    private static KeyMaterial material(AbstractConfig config, String key, Password password) {
        return new KeyMaterial(key, config.getString(key).trim(), password);
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
    public boolean isSet() {
        return authorities.isSet()
                || !caFingerprint.isEmpty()
                || certificate.isSet()
                || verification != VerificationMode.FULL;
    }

    /** The settings that do not fit together or, if all do, name what cannot be used. */
    public static List<Problem> problems(AbstractConfig config) {
        boolean ca = !config.getString(SSL_CA).isBlank();
        boolean trustStore = !config.getString(SSL_TRUSTSTORE_LOCATION).isBlank();
        boolean fingerprint = !config.getString(SSL_CA_FINGERPRINT).isBlank();
        boolean certificate = !config.getString(SSL_CERTIFICATE).isBlank();
        List<Problem> problems = Problem.of(
                when(
                        ca ? trustStore || fingerprint : trustStore && fingerprint,
                        ca ? SSL_CA : SSL_TRUSTSTORE_LOCATION,
                        "set one of " + SSL_CA + ", " + SSL_CA_FINGERPRINT + " and " + SSL_TRUSTSTORE_LOCATION),
                when(
                        certificate && !config.getString(SSL_KEYSTORE_LOCATION).isBlank(),
                        SSL_CERTIFICATE,
                        "set one of " + SSL_CERTIFICATE + " and " + SSL_KEYSTORE_LOCATION),
                when(
                        certificate == config.getPassword(SSL_KEY).value().isEmpty(),
                        certificate ? SSL_KEY : SSL_CERTIFICATE,
                        "is missing: a certificate and its key go together"));
        return problems.isEmpty() ? Tls.problems(from(config)) : problems;
    }

    /** Describes briefly what is trusted. A certificate is not secret, but its text is long. */
    @Override
    public String toString() {
        String source = !caFingerprint.isEmpty()
                ? "the authority " + caFingerprint
                : !authorities.isSet()
                        ? "the JVM"
                        : authorities.file().map(Path::toString).orElse("PEM text");
        return "certificates from " + source + ", verification " + EnumSetting.text(verification)
                + (certificate.isSet() ? ", a client certificate" : "");
    }
}
