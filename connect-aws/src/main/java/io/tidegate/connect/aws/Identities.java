package io.tidegate.connect.aws;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.credentials.CredentialsSettings;
import io.tidegate.connect.common.time.Clock;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Who signs: the worker, or the last of the roles that are assumed one after the other. Roles are asked for in the region of
 * the server, because a worker in a closed network may reach no other. Any thread.
 */
final class Identities implements AutoCloseable {
    private final List<String> roles;
    private final Optional<String> externalId;
    private final Optional<URI> endpoint;
    private final WorkerIdentity worker;
    private final Clock clock;
    private final Map<String, AwsIdentity> byRegion = new HashMap<>(); // guarded by this
    private final Map<String, StsRoles> clients = new HashMap<>(); // guarded by this

    private Identities(CredentialsSettings settings, Clock clock) {
        this.roles = settings.options(CredentialsSettings.AWS_ROLES);
        this.externalId = settings.option(CredentialsSettings.AWS_EXTERNAL_ID);
        this.endpoint = settings.option(CredentialsSettings.AWS_STS_ENDPOINT).map(URI::create);
        this.worker = new WorkerIdentity();
        this.clock = requireNonNull(clock, "clock");
    }

    static Identities of(CredentialsSettings settings, Clock clock) {
        return new Identities(settings, clock);
    }

    /** Who signs for servers in a region. */
    synchronized AwsIdentity in(String region) {
        return byRegion.computeIfAbsent(region, this::chain);
    }

    private AwsIdentity chain(String region) {
        if (roles.isEmpty()) {
            return worker;
        }
        StsRoles sts = clients.computeIfAbsent(region, any -> new StsRoles(region, endpoint));
        AwsIdentity last = worker;
        for (int i = 0; i < roles.size(); i++) {
            Optional<String> id = i == roles.size() - 1 ? externalId : Optional.empty();
            last = new AssumedRole(roles.get(i), last, (role, caller) -> sts.assume(role, id, caller), clock);
        }
        return last;
    }

    synchronized void refused() {
        byRegion.values().forEach(AwsIdentity::refused);
    }

    @Override
    public synchronized void close() {
        clients.values().forEach(StsRoles::close);
        worker.close();
    }
}
