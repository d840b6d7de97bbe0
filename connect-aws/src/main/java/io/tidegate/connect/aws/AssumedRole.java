package io.tidegate.connect.aws;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.credentials.CredentialsException;
import io.tidegate.connect.common.credentials.ExpiringValue;
import io.tidegate.connect.common.time.Clock;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;

/** A role that another identity assumes, again shortly before its credentials expire. Any thread. */
final class AssumedRole implements AwsIdentity {
    private final AwsIdentity from;
    private final ExpiringValue<AwsCredentialsIdentity> credentials;

    /** Asks AWS for a role. */
    @FunctionalInterface
    interface Sts {
        /** The credentials of the role, with their end. */
        AwsCredentialsIdentity assume(String role, AwsCredentialsIdentity caller) throws CredentialsException;
    }

    AssumedRole(String role, AwsIdentity from, Sts sts, Clock clock) {
        this.from = requireNonNull(from, "from");
        this.credentials = new ExpiringValue<>(
                () -> {
                    AwsCredentialsIdentity assumed = sts.assume(role, from.now());
                    return new ExpiringValue.Fetched<>(assumed, assumed.expirationTime());
                },
                clock);
    }

    @Override
    public AwsCredentialsIdentity now() throws CredentialsException {
        return credentials.get();
    }

    @Override
    public void refused() {
        from.refused();
        credentials.forget();
    }
}
