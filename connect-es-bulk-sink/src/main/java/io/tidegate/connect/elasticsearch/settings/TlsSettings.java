package io.tidegate.connect.elasticsearch.settings;

import static java.util.Objects.requireNonNull;

import java.util.Locale;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Type;
import org.apache.kafka.common.config.ConfigDef.ValidString;

/**
 * What is trusted over TLS.
 *
 * @param ca a file of PEM certificates or their text; empty for the authorities that the JVM trusts
 * @param verification how much of the server's certificate is verified
 */
public record TlsSettings(String ca, VerificationMode verification) {
    public static final String SSL_CA = "ssl.ca";
    public static final String SSL_VERIFICATION_MODE = "ssl.verification.mode";

    private static final String GROUP = "TLS";

    public TlsSettings {
        requireNonNull(ca, "ca");
        requireNonNull(verification, "verification");
    }

    public static ConfigDef define(ConfigDef def) {
        int order = 0;
        return def.define(
                        SSL_CA,
                        Type.STRING,
                        "",
                        Importance.MEDIUM,
                        "The certificate authorities to trust: the path of a PEM file on the worker, such as Elasticsearch's"
                                + " http_ca.crt, or the PEM text itself. May hold several certificates. Empty for those that"
                                + " the worker's JVM trusts.",
                        GROUP,
                        ++order,
                        ConfigDef.Width.LONG,
                        "Certificate authorities")
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

    public static TlsSettings from(AbstractConfig config) {
        return new TlsSettings(
                config.getString(SSL_CA).trim(),
                VerificationMode.valueOf(config.getString(SSL_VERIFICATION_MODE).toUpperCase(Locale.ROOT)));
    }

    /** Says what is trusted, in a few words; a certificate is no secret but its text is long. */
    @Override
    public String toString() {
        String source = ca.isEmpty() ? "the JVM" : ca.contains("-----BEGIN") ? "PEM text" : ca;
        return "certificates from " + source + ", verification " + verification.settingName();
    }
}
