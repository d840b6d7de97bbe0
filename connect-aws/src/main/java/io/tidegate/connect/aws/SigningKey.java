package io.tidegate.connect.aws;

import static java.util.Objects.requireNonNull;

import java.util.Optional;

/**
 * Credentials of AWS, and what they sign for. The text form shows no secret.
 *
 * @param token of a session; empty for credentials without an end
 */
record SigningKey(String accessKeyId, String secretKey, Optional<String> token, String region, String service) {
    SigningKey {
        requireNonNull(accessKeyId, "accessKeyId");
        requireNonNull(secretKey, "secretKey");
        requireNonNull(token, "token");
        requireNonNull(region, "region");
        requireNonNull(service, "service");
    }

    @Override
    public String toString() {
        return accessKeyId + " for " + service + " in " + region;
    }
}
