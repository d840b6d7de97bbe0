package io.tidegate.connect.aws;

import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidegate.connect.common.credentials.HttpCall;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;
import software.amazon.awssdk.identity.spi.AwsSessionCredentialsIdentity;

/**
 * Signatures and tokens against those of botocore, AWS's library for Python: the ones in {@code signatures.json}, which
 * {@code src/test/python/sign src/test/resources/requests.json} has printed, and new ones where botocore can be installed.
 */
final class SignatureV4Test {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Path REQUESTS = Path.of("src", "test", "resources", "requests.json");
    private static final int CANNOT_BE_INSTALLED = 3;
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'", Locale.ROOT);

    /** A request and who signs it. */
    private record Case(JsonNode json) {
        String text(String field) {
            return json.path(field).asText();
        }

        AwsCredentialsIdentity who() {
            return text("token").isEmpty()
                    ? AwsCredentialsIdentity.create(text("accessKey"), text("secretKey"))
                    : AwsSessionCredentialsIdentity.create(text("accessKey"), text("secretKey"), text("token"));
        }

        SignatureV4 signature() {
            Instant time = LocalDateTime.parse(text("time"), TIME).toInstant(ZoneOffset.UTC);
            return new SignatureV4(who(), text("region"), text("service"), time);
        }

        boolean isLogin() {
            return text("service").equals("rds-db");
        }

        HttpCall call() {
            Map<String, String> headers = new HashMap<>(Map.of("Expect", "100-continue", "Content-Encoding", "gzip"));
            json.path("headers")
                    .properties()
                    .forEach(header ->
                            headers.put(header.getKey(), header.getValue().asText()));
            return new HttpCall(
                    text("method"),
                    URI.create(text("url")),
                    headers,
                    ByteBuffer.wrap(Base64.getDecoder().decode(text("body"))));
        }

        /** A header with a signature, or a token. */
        String signed() {
            return isLogin()
                    ? signature()
                            .presigned(
                                    SdkHttpRequest.builder()
                                            .method(SdkHttpMethod.GET)
                                            .uri(text("url"))
                                            .build(),
                                    Duration.ofMinutes(15))
                            .substring("https://".length())
                    : signature().headers(call()).get("Authorization");
        }

        @Override
        public String toString() {
            return text("name");
        }
    }

    static Stream<Case> cases() throws IOException {
        JsonNode all = JSON.readTree(REQUESTS.toFile());
        return StreamSupport.stream(all.spliterator(), false).map(Case::new);
    }

    /** The parts of a token, whose order does not matter, and those of a header. */
    private static List<String> parts(String signed) {
        return Stream.of(signed.split("[?&]", -1)).sorted().toList();
    }

    @ParameterizedTest
    @MethodSource("cases")
    void isThatOfBotocore(Case request) throws IOException {
        try (InputStream stored = SignatureV4Test.class.getResourceAsStream("/signatures.json")) {
            String expected = JSON.readTree(stored).path(request.toString()).asText();
            assertThat(parts(request.signed())).isNotEmpty().isEqualTo(parts(expected));
        }
    }

    @Test
    void isThatOfTheBotocoreThatIsInstalledNow() throws Exception {
        Process signing = new ProcessBuilder("src/test/python/sign", REQUESTS.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        byte[] printed = signing.getInputStream().readAllBytes();
        int status = signing.waitFor();
        if (status == CANNOT_BE_INSTALLED) {
            String reason = "botocore cannot be installed from PyPI; signatures are compared with stored ones only";
            System.err.println("SKIPPED " + SignatureV4Test.class.getSimpleName() + ": " + reason);
            Assumptions.abort(reason);
        }
        assertThat(status).isZero();
        JsonNode expected = JSON.readTree(printed);
        assertThat(cases().collect(toMap(Case::toString, request -> parts(request.signed()))))
                .isEqualTo(expected.properties().stream()
                        .collect(toMap(
                                Map.Entry::getKey,
                                entry -> parts(entry.getValue().asText()))));
    }

    @Test
    void aSignedRequestCarriesWhatTheSignatureCovers() throws IOException {
        Case request = cases().filter(each -> !each.text("token").isEmpty() && !each.isLogin())
                .findFirst()
                .orElseThrow();
        Map<String, String> headers = request.signature().headers(request.call());
        assertThat(headers)
                .containsOnlyKeys(
                        "Authorization",
                        "Content-Type",
                        "Host",
                        "x-amz-content-sha256",
                        "X-Amz-Date",
                        "X-Amz-Security-Token");
        assertThat(headers.get("Authorization"))
                .contains("SignedHeaders=content-type;host;x-amz-content-sha256;x-amz-date;x-amz-security-token,");
        assertThat(request.signature()).asString().doesNotContain(request.text("secretKey"));
    }
}
