package io.tidegate.connect.aws;

import io.tidegate.connect.common.credentials.CredentialsProvider;
import io.tidegate.connect.common.credentials.CredentialsProviders;
import io.tidegate.connect.common.credentials.CredentialsSettings;
import io.tidegate.connect.common.settings.Problem;
import io.tidegate.connect.common.time.Clock;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The provider {@code aws}. It loads no class of AWS's SDK before a provider is opened. */
public final class AwsCredentialsProviders implements CredentialsProviders {
    private static final String PREFIX = CredentialsSettings.PREFIX + CredentialsSettings.AWS + '.';
    private static final Pattern ROLE = Pattern.compile("arn:aws[a-z-]*:iam::[0-9]{12}:role/.+");
    private static final Pattern REGION = Pattern.compile("[a-z]{2,4}(-[a-z]+)+-[0-9]+");

    @Override
    public String name() {
        return CredentialsSettings.AWS;
    }

    private static final List<String> SETTINGS = List.of(
            CredentialsSettings.AWS_REGION,
            CredentialsSettings.AWS_SERVICE,
            CredentialsSettings.AWS_ROLES,
            CredentialsSettings.AWS_EXTERNAL_ID);

    @Override
    public List<Problem> problems(CredentialsSettings settings) {
        boolean hasId = settings.option(CredentialsSettings.AWS_EXTERNAL_ID).isPresent();
        boolean hasRole = !settings.options(CredentialsSettings.AWS_ROLES).isEmpty();
        return Stream.of(
                        faults(
                                settings.options().keySet().stream().filter(key -> key.startsWith(PREFIX)),
                                CredentialsSettings.PROVIDER,
                                SETTINGS::contains,
                                " is no setting of " + CredentialsSettings.AWS + "; it has " + SETTINGS),
                        Problem.of(Problem.when(
                                        hasId && !hasRole,
                                        CredentialsSettings.AWS_EXTERNAL_ID,
                                        "only a role asks for it; set " + CredentialsSettings.AWS_ROLES))
                                .stream(),
                        faults(
                                settings.options(CredentialsSettings.AWS_ROLES).stream(),
                                CredentialsSettings.AWS_ROLES,
                                role -> ROLE.matcher(role).matches(),
                                " is no ARN of a role, such as arn:aws:iam::123456789012:role/tidegate"),
                        faults(
                                settings.option(CredentialsSettings.AWS_REGION).stream(),
                                CredentialsSettings.AWS_REGION,
                                region -> REGION.matcher(region).matches(),
                                " is no name of a region, such as eu-central-1"),
                        faults(
                                settings.option(CredentialsSettings.AWS_SERVICE).stream(),
                                CredentialsSettings.AWS_SERVICE,
                                AwsHost.SERVICES::contains,
                                " is no service that requests are signed for; use one of " + AwsHost.SERVICES))
                .flatMap(faults -> faults)
                .toList();
    }

    private static Stream<Problem> faults(Stream<String> values, String key, Predicate<String> isUsable, String fault) {
        return values.filter(isUsable.negate()).map(value -> new Problem(key, value + fault));
    }

    @Override
    public CredentialsProvider open(CredentialsSettings settings, Clock clock) {
        return new AwsProvider(settings, clock);
    }
}
