package io.tidegate.connect.common.credentials;

import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** How a request carries a secret (RFC 9110, 11.1). */
public enum AuthenticationScheme {
    /** A token. */
    BEARER,
    /** An API key of Elasticsearch, {@code encoded} or {@code id:key}. */
    API_KEY,
    /** {@code user:password}. */
    BASIC;

    /** The value of the {@code Authorization} header. */
    public String header(String secret) {
        return switch (this) {
            case BEARER -> "Bearer " + secret;
            case API_KEY -> "ApiKey " + (secret.indexOf(':') < 0 ? secret : base64(secret));
            case BASIC -> "Basic " + base64(secret);
        };
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }
}
