package io.tidegate.connect.aws;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.credentials.CredentialsException;
import io.tidegate.connect.common.credentials.CredentialsProvider;
import io.tidegate.connect.common.credentials.CredentialsSettings;
import io.tidegate.connect.common.credentials.HttpCall;
import io.tidegate.connect.common.credentials.Login;
import io.tidegate.connect.common.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.config.types.Password;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;
import software.amazon.awssdk.regions.providers.DefaultAwsRegionProviderChain;

/** IAM tokens for PostgreSQL, and signatures of requests to OpenSearch. Any thread. */
final class AwsProvider implements CredentialsProvider {
    /** As long as RDS allows. A token is checked at connect only; sessions stay open. */
    private static final Duration TOKEN_LIFE = Duration.ofMinutes(15);

    private static final String DATABASE = "rds-db";

    private final CredentialsSettings settings;
    private final Identities identities;
    private final Clock clock;
    private volatile Optional<String> regionOfWorker = Optional.empty(); // it does not change

    AwsProvider(CredentialsSettings settings, Clock clock) {
        this.settings = requireNonNull(settings, "settings");
        this.identities = new Identities(settings, clock);
        this.clock = requireNonNull(clock, "clock");
    }

    /** Source: RDS User Guide, "Connecting to your DB instance using IAM authentication". */
    @Override
    public Password password(Login login) throws CredentialsException {
        String region = regionOf(login.host());
        AwsCredentialsIdentity who = identities.in(region);
        SdkHttpRequest connect = SdkHttpRequest.builder()
                .method(SdkHttpMethod.GET)
                .protocol("https")
                .host(login.host())
                .port(login.port())
                .encodedPath("/")
                .putRawQueryParameter("Action", "connect")
                .putRawQueryParameter("DBUser", login.user())
                .build();
        String token = new SignatureV4(who, region, DATABASE, now()).presigned(connect, TOKEN_LIFE);
        return new Password(token.substring("https://".length()));
    }

    @Override
    public Map<String, String> headers(HttpCall call) throws CredentialsException {
        String host = call.uri().getHost();
        String region = regionOf(host);
        String service = settings.option(CredentialsSettings.AWS_SERVICE).orElseGet(() -> AwsHost.serviceOfHost(host));
        return new SignatureV4(identities.in(region), region, service, now()).headers(call);
    }

    /** The region of a server: that of the settings, of the host's name, or of the worker. */
    private String regionOf(String host) throws CredentialsException {
        Optional<String> known = settings.option(CredentialsSettings.AWS_REGION)
                .or(() -> AwsHost.of(host).map(AwsHost::region))
                .or(() -> regionOfWorker);
        if (known.isPresent()) {
            return known.get();
        }
        try {
            String found = new DefaultAwsRegionProviderChain().getRegion().id();
            regionOfWorker = Optional.of(found);
            return found;
        } catch (SdkException e) {
            throw new CredentialsException(
                    "neither " + host + " nor the worker's environment names a region: set "
                            + CredentialsSettings.AWS_REGION,
                    e);
        }
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
