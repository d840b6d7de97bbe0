package io.tidegate.connect.aws;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.credentials.CredentialsException;
import io.tidegate.connect.common.credentials.CredentialsSettings;
import java.util.Optional;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.regions.providers.DefaultAwsRegionProviderChain;

/** The region of a server: that of the settings, of the host's name, or of the worker. Any thread. */
final class Regions {
    private final CredentialsSettings settings;
    private volatile Optional<String> ofWorker = Optional.empty(); // it does not change

    Regions(CredentialsSettings settings) {
        this.settings = requireNonNull(settings, "settings");
    }

    String of(String host) throws CredentialsException {
        Optional<String> known = settings.option(CredentialsSettings.AWS_REGION)
                .or(() -> AwsHost.of(host).map(AwsHost::region))
                .or(() -> ofWorker);
        if (known.isPresent()) {
            return known.get();
        }
        try {
            String found = new DefaultAwsRegionProviderChain().getRegion().id();
            ofWorker = Optional.of(found);
            return found;
        } catch (SdkException e) {
            throw new CredentialsException(
                    "neither " + host + " nor the worker's environment names a region: set "
                            + CredentialsSettings.AWS_REGION,
                    e);
        }
    }
}
