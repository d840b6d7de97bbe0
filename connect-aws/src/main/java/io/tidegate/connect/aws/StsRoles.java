package io.tidegate.connect.aws;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.credentials.CredentialsException;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;
import software.amazon.awssdk.identity.spi.AwsSessionCredentialsIdentity;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sts.StsClient;
import software.amazon.awssdk.services.sts.StsClientBuilder;
import software.amazon.awssdk.services.sts.model.AssumeRoleRequest;
import software.amazon.awssdk.services.sts.model.Credentials;

/** Asks AWS's Security Token Service for roles. Any thread. */
final class StsRoles implements AutoCloseable {
    private static final String SESSION = "tidegate";
    private static final Duration LIMIT = Duration.ofSeconds(10);

    private final StsClient client;

    StsRoles(String region, Optional<URI> endpoint) {
        StsClientBuilder builder = StsClient.builder()
                .region(Region.of(requireNonNull(region, "region")))
                .overrideConfiguration(limits -> limits.apiCallTimeout(LIMIT))
                .httpClientBuilder(UrlConnectionHttpClient.builder());
        endpoint.ifPresent(builder::endpointOverride);
        client = builder.build();
    }

    /**
     * The credentials of a role.
     *
     * @param externalId that the role asks for, if it does
     */
    AwsCredentialsIdentity assume(String role, Optional<String> externalId, AwsCredentialsIdentity caller)
            throws CredentialsException {
        AssumeRoleRequest.Builder request = AssumeRoleRequest.builder()
                .roleArn(role)
                .roleSessionName(SESSION)
                .overrideConfiguration(override ->
                        override.credentialsProvider(StaticCredentialsProvider.create(credentials(caller))));
        externalId.ifPresent(request::externalId);
        try {
            Credentials given = client.assumeRole(request.build()).credentials();
            return AwsSessionCredentials.builder()
                    .accessKeyId(given.accessKeyId())
                    .secretAccessKey(given.secretAccessKey())
                    .sessionToken(given.sessionToken())
                    .expirationTime(given.expiration())
                    .build();
        } catch (SdkException e) {
            throw new CredentialsException("the role " + role + " cannot be assumed: " + e.getMessage(), e);
        }
    }

    private static AwsCredentials credentials(AwsCredentialsIdentity caller) {
        return caller instanceof AwsSessionCredentialsIdentity session
                ? AwsSessionCredentials.create(session.accessKeyId(), session.secretAccessKey(), session.sessionToken())
                : AwsBasicCredentials.create(caller.accessKeyId(), caller.secretAccessKey());
    }

    @Override
    public void close() {
        client.close();
    }
}
