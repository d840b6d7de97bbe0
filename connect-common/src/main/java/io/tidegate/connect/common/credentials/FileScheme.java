package io.tidegate.connect.common.credentials;

import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** What a file with a secret holds, and so how a request carries it. */
public enum FileScheme {
    BEARER {
        @Override
        String authorization(String secret) {
            return "Bearer " + secret;
        }
    },
    API_KEY {
        @Override
        String authorization(String secret) {
            return "ApiKey " + (secret.indexOf(':') < 0 ? secret : base64(secret));
        }
    },
    BASIC {
        @Override
        String authorization(String secret) {
            return "Basic " + base64(secret);
        }
    };

    /** The value of the {@code Authorization} header. */
    abstract String authorization(String secret);

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }
}
