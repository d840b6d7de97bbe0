package io.tidegate.connect.elasticsearch.settings;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.settings.Problem;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Type;
import org.apache.kafka.common.config.ConfigDef.ValidString;

/**
 * What is trusted over TLS, and who the sink is.
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

    private static final String GROUP = "TLS";
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
        return defineIdentity(defineStores(defineTrust(def)));
    }

    private static ConfigDef defineTrust(ConfigDef def) {
        int order = 0;
        return def.define(
                        SSL_CA,
                        Type.STRING,
                        "",
                        Importance.MEDIUM,
                        "The certificate authorities to trust: the path of a PEM file on the worker, such as Elasticsearch's"
                                + " http_ca.crt, or the PEM text itself. May hold several certificates. Empty for those that"
                                + " the worker's JVM trusts. A file is read again when it changes.",
                        GROUP,
                        ++order,
                        ConfigDef.Width.LONG,
                        "Certificate authorities")
                .define(
                        SSL_CA_FINGERPRINT,
                        Type.STRING,
                        "",
                        Checks.<String>parses(
                                "64 hexadecimal digits, with or without colons", TlsSettings::fingerprint),
                        Importance.MEDIUM,
                        "The SHA-256 fingerprint of the certificate authority to trust, as Elasticsearch prints it when it"
                                + " first starts. The server must present the authority's certificate with its own, as"
                                + " Elasticsearch does. In place of " + SSL_CA + ".",
                        GROUP,
                        ++order,
                        ConfigDef.Width.LONG,
                        "Fingerprint of the authority")
                .define(
                        SSL_VERIFICATION_MODE,
                        Type.STRING,
                        VerificationMode.FULL.settingName(),
                        ValidString.in(VerificationMode.settingNames()),
                        Importance.LOW,
                        "`full` verifies that the server's certificate is issued by a trusted authority and names the host in"
                                + " " + ConnectionSettings.CONNECTION_URL
                                + "; `certificate` does not look at the host name;"
                                + " `none` verifies nothing and is not safe.",
                        GROUP,
                        ++order,
                        ConfigDef.Width.SHORT,
                        "Verification");
    }

    private static ConfigDef defineStores(ConfigDef def) {
        store(
                def,
                3,
                "Trust store",
                List.of(SSL_TRUSTSTORE_LOCATION, SSL_TRUSTSTORE_PASSWORD, SSL_TRUSTSTORE_TYPE),
                "A Java store of the certificate authorities to trust, in place of " + SSL_CA
                        + ": the path of a file on the worker. Read again when it changes.");
        return store(
                def,
                6,
                "Key store",
                List.of(SSL_KEYSTORE_LOCATION, SSL_KEYSTORE_PASSWORD, SSL_KEYSTORE_TYPE),
                "A Java store with the sink's own certificate and key, for a server that asks its clients for one, in"
                        + " place of " + SSL_CERTIFICATE + ": the path of a file on the worker. Read again when it"
                        + " changes.");
    }

    private static ConfigDef store(ConfigDef def, int after, String name, List<String> keys, String doc) {
        int order = after;
        return def.define(keys.get(0), Type.STRING, "", Importance.LOW, doc, GROUP, ++order, ConfigDef.Width.LONG, name)
                .define(
                        keys.get(1),
                        Type.PASSWORD,
                        "",
                        Importance.LOW,
                        "The password of " + keys.get(0) + ".",
                        GROUP,
                        ++order,
                        ConfigDef.Width.SHORT,
                        name + " password")
                .define(
                        keys.get(2),
                        Type.STRING,
                        "PKCS12",
                        new ConfigDef.NonEmptyString(),
                        Importance.LOW,
                        "The format of " + keys.get(0) + ": `PKCS12`, `JKS` or another that the worker's JVM knows.",
                        GROUP,
                        ++order,
                        ConfigDef.Width.SHORT,
                        name + " type");
    }

    private static ConfigDef defineIdentity(ConfigDef def) {
        int order = 9;
        return def.define(
                        SSL_CERTIFICATE,
                        Type.STRING,
                        "",
                        Importance.LOW,
                        "The sink's own certificate, for a server that asks its clients for one: the path of a PEM file on"
                                + " the worker, or the PEM text itself; certificates of authorities between may follow. Needs "
                                + SSL_KEY + ". Read again when it changes.",
                        GROUP,
                        ++order,
                        ConfigDef.Width.LONG,
                        "Certificate")
                .define(
                        SSL_KEY,
                        Type.PASSWORD,
                        "",
                        Importance.LOW,
                        "The key of " + SSL_CERTIFICATE
                                + ": the path of a PEM file on the worker, or the PEM text itself;"
                                + " PKCS#8, encrypted or not, or PKCS#1 (RSA).",
                        GROUP,
                        ++order,
                        ConfigDef.Width.LONG,
                        "Key")
                .define(
                        SSL_KEY_PASSWORD,
                        Type.PASSWORD,
                        "",
                        Importance.LOW,
                        "The password of " + SSL_KEY + ", or of the key in " + SSL_KEYSTORE_LOCATION
                                + " when it is not the store's.",
                        GROUP,
                        ++order,
                        ConfigDef.Width.SHORT,
                        "Key password");
    }

    public static TlsSettings from(AbstractConfig config) {
        return new TlsSettings(
                config.getString(SSL_CA).trim(),
                fingerprint(config.getString(SSL_CA_FINGERPRINT)),
                new StoreFile(
                        config.getString(SSL_TRUSTSTORE_LOCATION).trim(),
                        config.getPassword(SSL_TRUSTSTORE_PASSWORD),
                        config.getString(SSL_TRUSTSTORE_TYPE)),
                VerificationMode.valueOf(config.getString(SSL_VERIFICATION_MODE).toUpperCase(Locale.ROOT)),
                new PemIdentity(
                        config.getString(SSL_CERTIFICATE).trim(),
                        config.getPassword(SSL_KEY),
                        config.getPassword(SSL_KEY_PASSWORD)),
                new StoreFile(
                        config.getString(SSL_KEYSTORE_LOCATION).trim(),
                        config.getPassword(SSL_KEYSTORE_PASSWORD),
                        config.getString(SSL_KEYSTORE_TYPE)));
    }

    private static String fingerprint(String text) {
        String digits = text.replace(":", "").trim().toLowerCase(Locale.ROOT);
        boolean hexadecimal = digits.chars().allMatch(c -> Character.digit(c, 16) >= 0);
        if (!digits.isEmpty() && (!hexadecimal || digits.length() != FINGERPRINT_DIGITS)) {
            throw new IllegalArgumentException("a SHA-256 fingerprint has 64 hexadecimal digits");
        }
        return digits;
    }

    /** What does not go together. */
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

    /** Says what is trusted, in a few words; a certificate is no secret but its text is long. */
    @Override
    public String toString() {
        String source = !caFingerprint.isEmpty()
                ? "the authority " + caFingerprint
                : trustStore.isSet()
                        ? trustStore.location()
                        : ca.isEmpty() ? "the JVM" : ca.contains("-----BEGIN") ? "PEM text" : ca;
        String client = identity.isSet() || keyStore.isSet() ? ", a client certificate" : "";
        return "certificates from " + source + ", verification " + verification.settingName() + client;
    }
}
