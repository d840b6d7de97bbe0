package io.tidegate.connect.aws;

import io.tidegate.connect.common.credentials.CredentialsProvider;
import io.tidegate.connect.common.credentials.CredentialsProviders;
import io.tidegate.connect.common.credentials.CredentialsSettings;
import io.tidegate.connect.common.settings.Problem;
import io.tidegate.connect.common.time.Clock;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** The provider {@code aws}. It loads no class of AWS's SDK before a provider is opened. */
public final class AwsCredentialsProviders implements CredentialsProviders {
    private static final Pattern ROLE = Pattern.compile("arn:aws[a-z-]*:iam::[0-9]{12}:role/.+");
    private static final Pattern REGION = Pattern.compile("[a-z]{2}(-[a-z]+)+-[0-9]+");

    @Override
    public String name() {
        return CredentialsSettings.AWS;
    }

    @Override
    public List<Problem> problems(CredentialsSettings settings) {
        List<Problem> problems = new ArrayList<>();
        settings.options(CredentialsSettings.AWS_ROLES).stream()
                .filter(role -> !ROLE.matcher(role).matches())
                .forEach(role -> problems.add(new Problem(
                        CredentialsSettings.AWS_ROLES,
                        role + " is no ARN of a role, such as arn:aws:iam::123456789012:role/tidegate")));
        settings.option(CredentialsSettings.AWS_REGION)
                .filter(region -> !REGION.matcher(region).matches())
                .ifPresent(region -> problems.add(new Problem(
                        CredentialsSettings.AWS_REGION, region + " is no name of a region, such as eu-central-1")));
        settings.option(CredentialsSettings.AWS_SERVICE)
                .filter(service -> !AwsHost.SERVICES.contains(service))
                .ifPresent(service -> problems.add(new Problem(
                        CredentialsSettings.AWS_SERVICE,
                        service + " is no service that requests are signed for; use one of " + AwsHost.SERVICES)));
        settings.option(CredentialsSettings.AWS_STS_ENDPOINT)
                .filter(url -> !isUrl(url))
                .ifPresent(url -> problems.add(new Problem(
                        CredentialsSettings.AWS_STS_ENDPOINT, "is no URL that starts with https:// or http://")));
        return problems;
    }

    private static boolean isUrl(String text) {
        try {
            URI url = URI.create(text);
            return url.getHost() != null && ("https".equals(url.getScheme()) || "http".equals(url.getScheme()));
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    @Override
    public CredentialsProvider open(CredentialsSettings settings, Clock clock) {
        return AwsProvider.open(settings, clock);
    }
}
