package io.tidegate.connect.aws;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.credentials.CredentialsException;
import io.tidegate.connect.common.credentials.CredentialsSettings;
import io.tidegate.connect.common.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sts.StsClient;
import software.amazon.awssdk.services.sts.auth.StsAssumeRoleCredentialsProvider;

/**
 * Who signs: the worker, or the last of the roles that are assumed one after the other. The worker's own identity is where
 * AWS's SDK finds it: environment, profile, web identity of Kubernetes (IRSA), EKS Pod Identity, task of ECS, instance of
 * EC2. The SDK keeps and renews all of them. Roles are asked for in the region of the server, because a worker in a closed
 * network may reach no other. Any thread.
 */
final class Identities implements AutoCloseable {
    private static final int MAX_SESSION_NAME = 64;
    private static final Duration LIMIT = Duration.ofSeconds(10);

    /** Several threads may learn at once that credentials were refused. */
    private static final Duration FRESH = Duration.ofSeconds(5);

    private final List<String> roles;
    private final Optional<String> externalId;
    private final String session;
    private final Clock clock;
    private final Map<String, Chain> byRegion = new HashMap<>(); // guarded by this
    private Optional<Long> refusedAt = Optional.empty(); // by nanoTime; guarded by this

    /** The provider of the last role, or of the worker, and what closes it. */
    private record Chain(AwsCredentialsProvider last, Runnable closing) {}

    Identities(CredentialsSettings settings, Clock clock) {
        this.roles = settings.options(CredentialsSettings.AWS_ROLES);
        this.externalId = settings.option(CredentialsSettings.AWS_EXTERNAL_ID);
        String name = ("tidegate-" + settings.connector()).replaceAll("[^A-Za-z0-9_+=,.@-]", "_");
        this.session = name.substring(0, Math.min(name.length(), MAX_SESSION_NAME)); // in CloudTrail
        this.clock = requireNonNull(clock, "clock");
    }

    /**
     * The credentials for servers in a region, now.
     *
     * @throws CredentialsException when there are none
     */
    AwsCredentialsIdentity in(String region) throws CredentialsException {
        try {
            return chainIn(region).last().resolveCredentials();
        } catch (SdkException e) {
            String what = roles.isEmpty() ? "AWS knows no identity of this worker: " : roles + " cannot be assumed: ";
            throw new CredentialsException(what + e.getMessage(), e);
        }
    }

    private synchronized Chain chainIn(String region) {
        return byRegion.computeIfAbsent(region, this::chain);
    }

    private Chain chain(String region) {
        DefaultCredentialsProvider worker = DefaultCredentialsProvider.builder().build();
        Chain chain = new Chain(worker, worker::close);
        for (int i = 0; i < roles.size(); i++) {
            chain = assumed(roles.get(i), i == roles.size() - 1 ? externalId : Optional.empty(), chain, region);
        }
        return chain;
    }

    private Chain assumed(String role, Optional<String> id, Chain caller, String region) {
        StsClient client = StsClient.builder()
                .region(Region.of(region))
                .credentialsProvider(caller.last())
                .overrideConfiguration(limits -> limits.apiCallTimeout(LIMIT))
                .httpClientBuilder(UrlConnectionHttpClient.builder())
                .build();
        StsAssumeRoleCredentialsProvider provider = StsAssumeRoleCredentialsProvider.builder()
                .stsClient(client)
                .refreshRequest(request ->
                        request.roleArn(role).roleSessionName(session).externalId(id.orElse(null)))
                .build();
        return new Chain(provider, () -> {
            provider.close();
            client.close();
            caller.closing().run();
        });
    }

    /** AWS has refused the credentials. The SDK renews what expires and cannot be told otherwise, so it begins anew. */
    synchronized void refused() {
        long now = clock.nanoTime(); // a clock that is wrong may be the reason, and is then set back
        if (refusedAt.filter(before -> now - before < FRESH.toNanos()).isEmpty()) {
            refusedAt = Optional.of(now);
            close();
        }
    }

    @Override
    public synchronized void close() {
        byRegion.values().forEach(chain -> chain.closing().run());
        byRegion.clear();
    }
}
