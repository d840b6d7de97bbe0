package io.tidegate.connect.aws;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the name of a server's host tells. Sources: Amazon's documentation of RDS, OpenSearch Service and OpenSearch
 * Serverless, each "endpoints"; for databases outside of the usual regions, aws/aws-advanced-jdbc-wrapper on GitHub, pull
 * requests 14, 1013 and 1054, and issue 1585.
 *
 * @param service that requests to it are signed for; empty for a database
 */
record AwsHost(String region, Optional<String> service) {
    private static final String OPENSEARCH = "es";
    private static final String SERVERLESS = "aoss";

    /** The services that requests are signed for. */
    static final List<String> SERVICES = List.of(OPENSEARCH, SERVERLESS);

    private static final String REGION = "\\.([a-z]{2,4}(?:-[a-z]+)+-[0-9]+)";
    private static final String DOMAIN =
            "\\.(?:amazonaws\\.com(?:\\.cn)?|amazonaws\\.eu|c2s\\.ic\\.gov|sc2s\\.sgov\\.gov)";

    private static final Pattern HOST = Pattern.compile(".*" + REGION + "\\.(rds|es|aoss)" + DOMAIN);

    /** Databases in China and in the regions of the US government, except older ones. */
    private static final Pattern RDS_FIRST = Pattern.compile(".*\\.rds" + REGION + DOMAIN);

    /** The names that have addresses of both IP versions. */
    private static final Pattern DUAL_STACK =
            Pattern.compile(".*\\.(aos|aoss)" + REGION + "\\.on\\.(?:aws|amazonwebservices\\.com\\.cn)");

    /** Empty for a name that is not one of AWS's. */
    static Optional<AwsHost> of(String host) {
        Matcher usual = HOST.matcher(host);
        if (usual.matches()) {
            return Optional.of(new AwsHost(usual.group(1), serviceOf(usual.group(2))));
        }
        Matcher database = RDS_FIRST.matcher(host);
        if (database.matches()) {
            return Optional.of(new AwsHost(database.group(1), Optional.empty()));
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
