package io.tidegate.connect.aws;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.credentials.CredentialsException;
import io.tidegate.connect.common.credentials.CredentialsProvider;
import io.tidegate.connect.common.credentials.CredentialsSettings;
import io.tidegate.connect.common.credentials.HttpCall;
import io.tidegate.connect.common.credentials.Login;
import io.tidegate.connect.common.credentials.Secret;
import io.tidegate.connect.common.time.Clock;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;
import software.amazon.awssdk.identity.spi.AwsSessionCredentialsIdentity;

/** IAM tokens for PostgreSQL, and signatures of requests to OpenSearch. Any thread. */
final class AwsProvider implements CredentialsProvider {
    /** As long as RDS allows. A token is checked at connect only; sessions stay open. */
    private static final Duration TOKEN_LIFE = Duration.ofMinutes(15);

    private static final String DATABASE = "rds-db";

    private final CredentialsSettings settings;
    private final Identities identities;
    private final Regions regions;
    private final Clock clock;

    AwsProvider(CredentialsSettings settings, Identities identities, Regions regions, Clock clock) {
        this.settings = requireNonNull(settings, "settings");
        this.identities = requireNonNull(identities, "identities");
        this.regions = requireNonNull(regions, "regions");
        this.clock = requireNonNull(clock, "clock");
    }

    static AwsProvider open(CredentialsSettings settings, Clock clock) {
        return new AwsProvider(settings, Identities.of(settings, clock), new Regions(settings), clock);
    }

    /** Source: RDS User Guide, "Connecting to your DB instance using IAM authentication". */
    @Override
    public Secret password(Login login) throws CredentialsException {
        String region = regions.of(login.host());
        AwsCredentialsIdentity who = identities.in(region).now();
        URI connect = URI.create("https://" + login.host() + ":" + login.port() + "/?Action=connect&DBUser="
                + SignatureV4.encode(login.user()));
        Instant now = now();
        URI token = new SignatureV4(key(who, region, DATABASE), now).presigned("GET", connect, TOKEN_LIFE);
        Instant end = now.plus(TOKEN_LIFE);
        return new Secret(
                token.toString().substring("https://".length()),
                Optional.of(who.expirationTime().filter(end::isAfter).orElse(end)));
    }

    @Override
    public Map<String, String> headers(HttpCall call) throws CredentialsException {
        String host = call.uri().getHost();
        String region = regions.of(host);
        String service = settings.option(CredentialsSettings.AWS_SERVICE).orElseGet(() -> AwsHost.serviceOfHost(host));
        return new SignatureV4(key(identities.in(region).now(), region, service), now()).headers(call);
    }

    private static SigningKey key(AwsCredentialsIdentity who, String region, String service) {
        Optional<String> token = who instanceof AwsSessionCredentialsIdentity session
                ? Optional.of(session.sessionToken())
                : Optional.empty();
        return new SigningKey(who.accessKeyId(), who.secretAccessKey(), token, region, service);
    }

    private Instant now() {
        return Instant.ofEpochMilli(clock.currentTimeMillis());
    }

    @Override
    public void refused() {
        identities.refused();
    }

    @Override
    public void close() {
        identities.close();
    }
}
