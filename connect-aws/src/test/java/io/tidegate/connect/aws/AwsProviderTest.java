package io.tidegate.connect.aws;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.tidegate.connect.common.credentials.CredentialsException;
import io.tidegate.connect.common.credentials.CredentialsSettings;
import io.tidegate.connect.common.credentials.CredentialsSource;
import io.tidegate.connect.common.credentials.HttpCall;
import io.tidegate.connect.common.credentials.Login;
import io.tidegate.connect.common.settings.Problem;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The provider as a sink gets it, with a Security Token Service that gives each role other credentials. */
final class AwsProviderTest {
    private static final Login LOGIN = new Login("tides.abc.eu-west-1.rds.amazonaws.com", 5432, "tidegate");
    private static final HttpCall CALL = new HttpCall(
            "POST",
            URI.create("https://abc.eu-west-1.aoss.amazonaws.com/_bulk"),
            Map.of("Host", "abc.eu-west-1.aoss.amazonaws.com"),
            ByteBuffer.wrap("{}\n".getBytes(UTF_8)));
    private static final Pattern CREDENTIAL = Pattern.compile("Credential=([A-Za-z0-9]+)/");
    private static final Duration ROLE_LIFE = Duration.ofHours(1);

    private final ManualClock clock = new ManualClock(Instant.parse("2026-11-22T12:00:00Z"));
    private final List<String> assumed = Collections.synchronizedList(new ArrayList<>()); // "ROLE by KEY"
    private final List<String> sessions = Collections.synchronizedList(new ArrayList<>());
    private volatile boolean isOut; // a test's thread writes it
    private HttpServer sts;

    @BeforeEach
    void start() throws IOException {
        System.setProperty("aws.accessKeyId", "AKIDWORKER");
        System.setProperty("aws.secretAccessKey", "secret");
        sts = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        sts.createContext("/", this::answer);
        sts.start();
        System.setProperty(
                "aws.endpointUrlSts", "http://localhost:" + sts.getAddress().getPort());
    }

    @AfterEach
    void stop() {
        System.clearProperty("aws.accessKeyId");
        System.clearProperty("aws.secretAccessKey");
        System.clearProperty("aws.endpointUrlSts");
        sts.stop(0);
    }

    private void answer(HttpExchange exchange) throws IOException {
        String form = URLDecoder.decode(new String(exchange.getRequestBody().readAllBytes(), UTF_8), UTF_8);
        String role = form.replaceAll("(?s).*RoleArn=[^&]*role/([^&]*).*", "$1")
                + (form.contains("ExternalId=") ? " with " + form.replaceAll("(?s).*ExternalId=([^&]*).*", "$1") : "");
        sessions.add(form.replaceAll("(?s).*RoleSessionName=([^&]*).*", "$1"));
        String operation = form.replaceAll("(?s).*Action=([^&]*).*", "$1");
        boolean isOfKubernetes = operation.equals("AssumeRoleWithWebIdentity");
        int status = isOut ? 400 : 200;
        assumed.add(role + " by "
                + (isOfKubernetes
                        ? form.replaceAll("(?s).*WebIdentityToken=([^&]*).*", "$1")
                        : keyOf(exchange.getRequestHeaders().getFirst("Authorization"))));
        byte[] body = (isOut ? ERROR : credentials(operation, assumed.size())).getBytes(UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "text/xml");
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    private static final String ERROR = "<ErrorResponse xmlns=\"https://sts.amazonaws.com/doc/2011-06-15/\"><Error>"
            + "<Type>Sender</Type><Code>AccessDenied</Code><Message>not yours</Message></Error></ErrorResponse>";

    private String credentials(String operation, int number) {
        return "<" + operation + "Response xmlns=\"https://sts.amazonaws.com/doc/2011-06-15/\"><" + operation
                + "Result><Credentials>"
                + "<AccessKeyId>ASIA" + number + "</AccessKeyId><SecretAccessKey>secret</SecretAccessKey>"
                + "<SessionToken>token</SessionToken><Expiration>"
                + Instant.now().plus(ROLE_LIFE) + "</Expiration>"
                + "</Credentials></" + operation + "Result></" + operation + "Response>";
    }

    private static String keyOf(String signed) {
        Matcher found = CREDENTIAL.matcher(signed);
        assertThat(found.find()).isTrue();
        return found.group(1);
    }

    private CredentialsSource open(String... more) {
        return settings(more).open(clock).orElseThrow();
    }

    private CredentialsSettings settings(String... more) {
        Map<String, String> options = new HashMap<>();
        for (int i = 0; i < more.length; i += 2) {
            options.put("connection.credentials.aws." + more[i], more[i + 1]);
        }
        return new CredentialsSettings("aws", options, "orders of Zürich");
    }

    @Test
    void eachSessionHasATokenOfItsOwn() throws Exception {
        try (CredentialsSource source = open()) {
            assertThat(source.password(LOGIN).value())
                    .startsWith("tides.abc.eu-west-1.rds.amazonaws.com:5432/?Action=connect&DBUser=tidegate&")
                    .contains("X-Amz-Date=20261122T120000Z", "X-Amz-Expires=900", "eu-west-1%2Frds-db%2Faws4_request");
            clock.pass(Duration.ofMinutes(1));

            assertThat(source.password(LOGIN).value()).contains("X-Amz-Date=20261122T120100Z");
        }
    }

    @Test
    void eachRoleIsAssumedOnceWithTheOneBefore() throws Exception {
        String roles = "arn:aws:iam::123456789012:role/first, arn:aws:iam::210987654321:role/second";
        try (CredentialsSource source = open("roles", roles, "external.id", "id")) {
            assertThat(keyOf(source.headers(CALL).get("Authorization"))).isEqualTo("ASIA2");
            assertThat(keyOf(source.headers(CALL).get("Authorization"))).isEqualTo("ASIA2");
            assertThat(assumed).containsExactly("first by AKIDWORKER", "second with id by ASIA1");
        }
    }

    @Test
    void saysWhichRoleCannotBeAssumed() throws Exception {
        isOut = true;
        try (CredentialsSource source = open("roles", "arn:aws:iam::123456789012:role/first")) {
            assertThatThrownBy(() -> source.headers(CALL))
                    .isInstanceOf(CredentialsException.class)
                    .hasMessageContaining("[arn:aws:iam::123456789012:role/first] cannot be assumed: not yours");
            isOut = false;
            assertThat(keyOf(source.headers(CALL).get("Authorization"))).isEqualTo("ASIA2");
        }
    }

    @Test
    void refusedCredentialsOfARoleAreFetchedAgainOnceForThreadsThatLearnItAtOnce() throws Exception {
        try (CredentialsSource source = open("roles", "arn:aws:iam::123456789012:role/first")) {
            assertThat(keyOf(source.headers(CALL).get("Authorization"))).isEqualTo("ASIA1");
            source.refused();
            assertThat(keyOf(source.headers(CALL).get("Authorization"))).isEqualTo("ASIA2");
            source.refused();
            assertThat(keyOf(source.headers(CALL).get("Authorization"))).isEqualTo("ASIA2");
            clock.pass(Duration.ofSeconds(5));
            source.refused();
            assertThat(keyOf(source.headers(CALL).get("Authorization"))).isEqualTo("ASIA3");
        }
    }

    @Test
    void theSessionOfARoleNamesTheConnector() throws Exception {
        try (CredentialsSource source = open("roles", "arn:aws:iam::123456789012:role/first")) {
            source.headers(CALL);
        }
        assertThat(sessions).containsExactly("tidegate-orders_of_Z_rich");
    }

    /** With the jars of the archive, and on a thread that does not know the plugin. */
    @Test
    void aServiceAccountOfKubernetesIsTheWorkersIdentityAndIsFetchedAgainWhenRefused(@TempDir Path folder)
            throws Exception {
        Map<String, String> properties = Map.of(
                "aws.webIdentityTokenFile",
                Files.writeString(folder.resolve("token"), "jwt").toString(),
                "aws.roleArn",
                "arn:aws:iam::123456789012:role/pod",
                "aws.region",
                "eu-west-1");
        System.clearProperty("aws.accessKeyId");
        System.clearProperty("aws.secretAccessKey");
        properties.forEach(System::setProperty);
        ClassLoader loader = Thread.currentThread().getContextClassLoader();
        Thread.currentThread().setContextClassLoader(ClassLoader.getPlatformClassLoader());
        try (CredentialsSource source = open()) {
            assertThat(keyOf(source.headers(CALL).get("Authorization"))).isEqualTo("ASIA1");
            assertThat(assumed).containsExactly("pod by jwt");

            source.refused();
            assertThat(keyOf(source.headers(CALL).get("Authorization"))).isEqualTo("ASIA2");
        } finally {
            Thread.currentThread().setContextClassLoader(loader);
            properties.keySet().forEach(System::clearProperty);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "tides.abc.eu-central-1.rds.amazonaws.com, eu-central-1",
        "tides.cluster-abc.rds.cn-northwest-1.amazonaws.com.cn, cn-northwest-1",
        "tides.cluster-abc.cn-northwest-1.rds.amazonaws.com.cn, cn-northwest-1",
        "tides.cluster-abc.rds.us-gov-east-1.amazonaws.com, us-gov-east-1",
        "tides.abc.us-isob-east-1.rds.sc2s.sgov.gov, us-isob-east-1",
        "tides.abc.eusc-de-east-1.rds.amazonaws.eu, eusc-de-east-1",
        "tides.rds.eu-central-1.example.com,",
    })
    void theRegionOfADatabaseFollowsFromItsHost(String host, String region) {
        assertThat(AwsHost.of(host))
                .isEqualTo(Optional.ofNullable(region).map(of -> new AwsHost(of, Optional.empty())));
    }

    @ParameterizedTest
    @CsvSource({
        "search-tides-abc.eu-central-1.es.amazonaws.com, eu-central-1, es",
        "vpc-tides-abc.cn-north-1.es.amazonaws.com.cn, cn-north-1, es",
        "search-tides-abc.aos.us-east-1.on.aws, us-east-1, es",
        "abc.us-gov-west-1.aoss.amazonaws.com, us-gov-west-1, aoss",
        "tides.example.com, ap-southeast-2, es",
    })
    void regionAndServiceFollowFromTheHost(String host, String region, String service) throws Exception {
        System.setProperty("aws.region", "ap-southeast-2");
        HttpCall call =
                new HttpCall("GET", URI.create("https://" + host + "/"), Map.of("Host", host), ByteBuffer.allocate(0));
        try (CredentialsSource source = open()) {
            assertThat(source.headers(call).get("Authorization"))
                    .contains("/20261122/" + region + "/" + service + "/aws4_request");
        } finally {
            System.clearProperty("aws.region");
        }
        try (CredentialsSource source = open("region", "eu-north-1", "service", "aoss")) {
            assertThat(source.headers(call).get("Authorization")).contains("/20261122/eu-north-1/aoss/aws4_request");
        }
    }

    @Test
    void settingsThatCannotBeUsedAreNamed() {
        assertThat(settings("roles", "admin", "region", "Frankfurt", "service", "s3")
                        .problems())
                .extracting(Problem::key)
                .containsExactlyInAnyOrder(
                        "connection.credentials.aws.roles",
                        "connection.credentials.aws.region",
                        "connection.credentials.aws.service");
        assertThat(settings("role", "arn:aws:iam::123456789012:role/tidegate", "external.id", "x")
                        .problems())
                .extracting(problem -> problem.key() + ": " + problem.message())
                .containsExactlyInAnyOrder(
                        "connection.credentials.provider: connection.credentials.aws.role is no setting of aws; it has"
                                + " [connection.credentials.aws.region, connection.credentials.aws.service,"
                                + " connection.credentials.aws.roles, connection.credentials.aws.external.id]",
                        "connection.credentials.aws.external.id: only a role asks for it; set"
                                + " connection.credentials.aws.roles");
    }
}
