package io.tidegate.connect.aws;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the name of a server's host tells. Sources: Amazon's documentation of RDS, OpenSearch Service and OpenSearch
 * Serverless, each "endpoints".
 *
 * @param service that requests to it are signed for; empty for a database
 */
record AwsHost(String region, Optional<String> service) {
    private static final String OPENSEARCH = "es";
    private static final String SERVERLESS = "aoss";

    /** The services that requests are signed for. */
    static final List<String> SERVICES = List.of(OPENSEARCH, SERVERLESS);

    private static final Pattern HOST =
            Pattern.compile(".*\\.([a-z]{2}(?:-[a-z]+)+-[0-9]+)\\.(rds|es|aoss)\\.amazonaws\\.com(?:\\.cn)?");

    /** The names that have addresses of both IP versions. */
    private static final Pattern DUAL_STACK = Pattern.compile(
            ".*\\.(aos|aoss)\\.([a-z]{2}(?:-[a-z]+)+-[0-9]+)\\.on\\.(?:aws|amazonwebservices\\.com\\.cn)");

    /** Empty for a name that is not one of AWS's. */
    static Optional<AwsHost> of(String host) {
        Matcher usual = HOST.matcher(host);
        if (usual.matches()) {
            return Optional.of(new AwsHost(usual.group(1), serviceOf(usual.group(2))));
        }
        Matcher dual = DUAL_STACK.matcher(host);
        return dual.matches() ? Optional.of(new AwsHost(dual.group(2), serviceOf(dual.group(1)))) : Optional.empty();
    }

    private static Optional<String> serviceOf(String label) {
        return switch (label) {
            case SERVERLESS -> Optional.of(SERVERLESS);
            case "rds" -> Optional.empty();
            default -> Optional.of(OPENSEARCH);
        };
    }

    /** The service of a host, as its name says; a name of the user's own leads to a domain of OpenSearch Service. */
    static String serviceOfHost(String host) {
        return of(host).flatMap(AwsHost::service).orElse(OPENSEARCH);
    }
}
