package io.tidegate.connect.avro;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.connect.common.format.RegistrySettings;
import io.tidegate.connect.common.format.RegistrySettings.UsedId;
import io.tidegate.connect.common.format.SchemaId;
import io.tidegate.connect.common.format.SchemaId.Kind;
import io.tidegate.connect.common.tls.TlsSettings;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.apache.avro.Schema;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.types.Password;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
final class RegistryClientTest {
    private static final Password NONE = new Password("");
    private static final Password SECRET = new Password("secret");
    private static final SchemaId SEVEN = new SchemaId(Kind.SHORT, 7);
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private FakeRegistry registry;

    @BeforeEach
    void start() throws IOException {
        registry = new FakeRegistry();
    }

    @AfterEach
    void stop() {
        registry.close();
    }

    private static RegistrySettings settings(String... urls) {
        return settings("", NONE, NONE, urls);
    }

    private static RegistrySettings settings(String user, Password password, Password token, String... urls) {
        return new RegistrySettings(uris(urls), UsedId.CONTENT, user, password, token, stores("", "", NONE));
    }

    private static List<URI> uris(String... urls) {
        return Stream.of(urls).map(URI::create).toList();
    }

    private RegistryClient client() {
        return new RegistryClient(settings(registry.url()), PATIENCE);
    }

    private void assertOutage(RegistryClient client, String... reasons) {
        assertThatThrownBy(() -> client.schema(SEVEN))
                .isInstanceOf(RegistryException.class)
                .hasMessageContainingAll(reasons);
    }

    @Test
    void readsASchemaOfConfluentsApi() throws RegistryException {
        registry.answering("/schemas/ids/7", 200, "{\"schema\":\"\\\"long\\\"\"}");

        assertThat(client().schema(SEVEN)).contains(Schema.create(Schema.Type.LONG));
        assertThat(registry.authorizations()).containsExactly("null");
    }

    @Test
    void readsTheSchemasThatASchemaRefersTo() throws RegistryException {
        registry.answering("/schemas/ids/7", 200, """
                        {"schema": "{\\"type\\": \\"array\\", \\"items\\": \\"a.B\\"}",
                         "references": [{"name": "a.B", "subject": "a b/c", "version": 3}]}""")
                .answering("/subjects/a%20b%2Fc/versions/3?deleted=true", 200, """
                        {"schema": "{\\"type\\": \\"record\\", \\"name\\": \\"a.B\\", \\"fields\\": [
                                    {\\"name\\": \\"c\\", \\"type\\": \\"a.C\\"}]}",
                         "references": [{"name": "a.C", "subject": "c", "version": 1}]}""".replaceAll("\n +", ""))
                .answering("/subjects/c/versions/1?deleted=true", 200, """
                        {"schema": "{\\"type\\": \\"enum\\", \\"name\\": \\"a.C\\", \\"symbols\\": [\\"X\\"]}"}""");

        Schema schema = client().schema(SEVEN).orElseThrow();

        assertThat(schema.getElementType().getField("c").schema().getEnumSymbols())
                .containsExactly("X");
    }

    /** Confluent's converter takes the first. */
    @Test
    void readsOneOfTwoVersionsOfATypeThatAreReferredTo() throws RegistryException {
        registry.answering("/schemas/ids/7", 200, """
                        {"schema": "{\\"type\\": \\"array\\", \\"items\\": \\"a.B\\"}",
                         "references": [{"name": "a.C", "subject": "c", "version": 1},
                                        {"name": "a.B", "subject": "b", "version": 1}]}""")
                .answering("/subjects/b/versions/1?deleted=true", 200, """
                        {"schema": "{\\"type\\": \\"record\\", \\"name\\": \\"a.B\\", \\"fields\\": [{\\"name\\": \\"c\\", \\"type\\": \\"a.C\\"}]}",
                         "references": [{"name": "a.C", "subject": "c", "version": 2}]}""")
                .answering("/subjects/c/versions/1?deleted=true", 200, """
                        {"schema": "{\\"type\\": \\"enum\\", \\"name\\": \\"a.C\\", \\"symbols\\": [\\"X\\"]}"}""")
                .answering("/subjects/c/versions/2?deleted=true", 200, """
                        {"schema": "{\\"type\\": \\"enum\\", \\"name\\": \\"a.C\\", \\"symbols\\": [\\"Y\\"]}"}""");

        Schema schema = client().schema(SEVEN).orElseThrow();

        assertThat(schema.getElementType().getField("c").schema().getEnumSymbols())
                .containsExactly("X");
    }

    @ParameterizedTest
    @CsvSource({
        "GLOBAL, CONTENT, globalIds",
        "CONTENT, CONTENT, contentIds",
        "SHORT, CONTENT, contentIds",
        "GLOBAL, GLOBAL, globalIds",
        "CONTENT, GLOBAL, contentIds",
        "SHORT, GLOBAL, globalIds"
    })
    void asksApicuriosOwnApiForTheKindOfId(Kind kind, UsedId used, String path) throws RegistryException {
        String query = "?dereference=true&references=DEREFERENCE";
        registry.answering("/apis/registry/v2/ids/" + path + "/7" + query, 200, "\"long\"");
        RegistrySettings settings = new RegistrySettings(
                uris(registry.url() + "/apis/registry/v2/"), used, "", NONE, NONE, stores("", "", NONE));
        RegistryClient client = new RegistryClient(settings, PATIENCE);

        assertThat(client.schema(new SchemaId(kind, 7))).contains(Schema.create(Schema.Type.LONG));
    }

    /** For a content id neither version gives them with the schema. */
    @ParameterizedTest
    @CsvSource({"v2, ''", "v3, /content"})
    void readsTheSchemasThatASchemaOfApicurioRefersTo(String version, String content) throws RegistryException {
        String api = "/apis/registry/" + version;
        String b = "/groups/g%20h/artifacts/b%2Fc/versions/3";
        String c = "/groups/default/artifacts/c/versions/1";
        registry.answering(
                        api + "/ids/contentIds/7?dereference=true&references=DEREFERENCE",
                        200,
                        "{\"type\": \"array\", \"items\": \"a.B\"}")
                .answering(api + "/ids/contentIds/7/references", 200, """
                        [{"name": "a.B", "groupId": "g h", "artifactId": "b/c", "version": "3"},
                         {"name": "a.C", "groupId": null, "artifactId": "c", "version": "1"}]""")
                .answering(api + b + content, 200, """
                        {"type": "record", "name": "a.B", "fields": [{"name": "c", "type": "a.C"}]}""")
                .answering(api + b + "/references", 200, """
                        [{"name": "a.C", "groupId": null, "artifactId": "c", "version": "1"}]""")
                .answering(api + c + content, 200, """
                        {"type": "enum", "name": "a.C", "symbols": ["X"]}""")
                .answering(api + c + "/references", 200, "[]");
        RegistryClient client = new RegistryClient(settings(registry.url() + api), PATIENCE);

        Schema schema = client.schema(SEVEN).orElseThrow();

        assertThat(schema.getElementType().getField("c").schema().getEnumSymbols())
                .containsExactly("X");
    }

    @Test
    void namesTheTypeThatASchemaOfApicurioLacks() {
        String api = "/apis/registry/v2";
        registry.answering(
                api + "/ids/contentIds/7?dereference=true&references=DEREFERENCE",
                200,
                "{\"type\": \"array\", \"items\": \"a.B\"}");
        RegistryClient client = new RegistryClient(settings(registry.url() + api), PATIENCE);

        for (int status : new int[] {200, 404}) { // early versions have no references
            registry.answering(api + "/ids/contentIds/7/references", status, "[]");
            assertThatThrownBy(() -> client.schema(SEVEN))
                    .isInstanceOf(UnfitException.class)
                    .hasMessageContaining("a.B");
        }
        registry.answering(api + "/ids/contentIds/7/references", 503, "");
        assertOutage(client, "status 503");
    }

    @Test
    void asksConfluentsApiForNoGlobalId() {
        assertThatThrownBy(() -> client().schema(new SchemaId(Kind.GLOBAL, 7)))
                .isInstanceOf(UnfitException.class)
                .hasMessageContaining("/apis/registry/v2");
        assertThat(registry.requests()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"Artifact", "Content", "Schema", "Version"})
    void knowsWhenThereIsNoSchema(String what) throws RegistryException {
        assertThat(client().schema(SEVEN)).isEmpty();
        registry.answering("/schemas/ids/7", 404, "{\"error_code\":404,\"name\":\"" + what + "NotFoundException\"}");
        assertThat(client().schema(SEVEN)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "404, <html>, 'status 404, but not for want of a schema; see schema.registry.url'",
        "404, '{\"error_code\":404,\"message\":\"HTTP 404 Not Found\"}', status 404",
        "404, '{\"error_code\":404,\"name\":\"NotFoundException\"}', status 404",
        "404, '{\"error_code\":404,\"name\":\"TenantNotFoundException\"}', status 404",
        "401, '{\"error_code\":401}', 'status 401; see schema.registry.username'",
        "403, '', 'status 403; see schema.registry.username'",
        "500, '{\"error_code\":50001}', status 500",
        "301, '', status 301",
        "200, <html>, its answer is not JSON",
        "200, '', its answer is no schema; is the URL right?",
        "200, '{\"other\":1}', its answer has no schema"
    })
    void takesOtherAnswersForAnOutage(int status, String body, String reason) {
        registry.answering("/schemas/ids/7", status, body);

        assertOutage(client(), registry.url(), reason);
    }

    /** Apicurio's own API answers with the bare schema, so a page would be the record's fault. */
    @Test
    void takesAPageForAnOutage() {
        String path = "/apis/registry/v2";
        RegistryClient client = new RegistryClient(settings(registry.url() + path), PATIENCE);
        String question = path + "/ids/contentIds/7?dereference=true&references=DEREFERENCE";

        registry.answering(question, 200, "");
        assertOutage(client, "its answer is no schema; is the URL right?");
        registry.answering(question, 200, "<html>log in</html>").typed("text/html; charset=utf-8");
        assertOutage(client, "its answer is no schema; is the URL right?");
    }

    @Test
    void takesSilenceForAnOutage() {
        registry.fallSilent();

        assertOutage(new RegistryClient(settings(registry.url()), Duration.ofMillis(200)), "no answer", "timed out");
    }

    /** The time-out of Java's client for a request ends with the headers. The task would wait without end. */
    @Test
    void takesAnAnswerWithoutAnEndForAnOutage() {
        registry.answering("/schemas/ids/7", 200, "{\"schema\":\"\\\"long\\\"\"}");
        registry.stall();

        assertOutage(
                new RegistryClient(settings(registry.url()), Duration.ofSeconds(2)), "no whole answer within 4000 ms");
    }

    @Test
    void asksTheNextUrlWhenOneIsDown() throws RegistryException {
        registry.answering("/schemas/ids/7", 200, "{\"schema\":\"\\\"long\\\"\"}");
        RegistryClient client = new RegistryClient(settings("http://localhost:1", registry.url()), PATIENCE);

        assertThat(client.schema(SEVEN)).isPresent();
        registry.answering("/schemas/ids/7", 503, "");
        assertOutage(client, registry.url() + ": status 503; http://localhost:1: no answer");
    }

    /** Otherwise one that is down would cost its time-out for each schema. */
    @Test
    void beginsWithTheUrlThatAnsweredLast() throws IOException, RegistryException {
        try (FakeRegistry other = new FakeRegistry()) {
            registry.answering("/schemas/ids/7", 503, "");
            other.answering("/schemas/ids/7", 200, "{\"schema\":\"\\\"long\\\"\"}");
            RegistryClient client = new RegistryClient(settings(registry.url(), other.url()), PATIENCE);

            for (int i = 0; i < 3; i++) {
                assertThat(client.schema(SEVEN)).isPresent();
            }
            assertThat(registry.requests()).hasSize(1);
            other.answering("/schemas/ids/7", 503, "");
            registry.answering("/schemas/ids/7", 200, "{\"schema\":\"\\\"long\\\"\"}");
            assertThat(client.schema(SEVEN)).isPresent();
            assertThat(client.schema(SEVEN)).isPresent();
            assertThat(other.requests()).hasSize(4);
        }
    }

    /** A node may be late. */
    @Test
    void believesThatThereIsNoSchemaOnlyIfAllUrlsAgree() throws IOException, RegistryException {
        try (FakeRegistry other = new FakeRegistry()) {
            RegistryClient client = new RegistryClient(settings(registry.url(), other.url()), PATIENCE);

            assertThat(client.schema(SEVEN)).isEmpty();
            other.answering("/schemas/ids/7", 503, "");
            assertOutage(client, other.url() + ": status 503");
            other.answering("/schemas/ids/7", 200, "{\"schema\":\"\\\"long\\\"\"}");
            assertThat(client.schema(SEVEN)).isPresent();
        }
    }

    @Test
    void asksOnlyApicuriosOwnApiForAGlobalId() throws RegistryException {
        registry.answering(
                "/apis/registry/v2/ids/globalIds/7?dereference=true&references=DEREFERENCE", 200, "\"long\"");
        RegistryClient client =
                new RegistryClient(settings(registry.url(), registry.url() + "/apis/registry/v2"), PATIENCE);

        assertThat(client.schema(new SchemaId(Kind.GLOBAL, 7))).isPresent();
    }

    @Test
    void refusesWhatIsNoSchemaOfAvro() {
        registry.answering("/schemas/ids/7", 200, "{\"schema\":\"{}\",\"schemaType\":\"JSON\"}");
        assertThatThrownBy(() -> client().schema(SEVEN))
                .isInstanceOf(UnfitException.class)
                .hasMessage("it is a schema of JSON");
        registry.answering("/schemas/ids/7", 200, "{\"schema\":\"{}\"}");
        assertThatThrownBy(() -> client().schema(SEVEN))
                .isInstanceOf(UnfitException.class)
                .hasMessageStartingWith("it is no schema of Avro that can be read: No type: {}");
        registry.answering("/schemas/ids/7", 200, "{\"schema\":\"{\\\"a\\\":\\\"" + "x".repeat(300) + "\\\"}\"}");
        assertThatThrownBy(() -> client().schema(SEVEN))
                .as("nor quotes all of it")
                .isInstanceOf(UnfitException.class)
                .satisfies(e -> assertThat(e.getMessage()).hasSizeLessThan(250).endsWith("..."));
    }

    /** Each client of Java has a thread. */
    @Test
    void sharesConnectionsWithTheOtherTasksOfTheWorker() throws RegistryException {
        int open = RegistryClient.CLIENTS.openCount();
        RegistryClient one = client();
        RegistryClient other = client();
        assertThat(RegistryClient.CLIENTS.openCount())
                .as("not before a question")
                .isEqualTo(open);

        one.schema(SEVEN);
        other.schema(SEVEN);
        assertThat(RegistryClient.CLIENTS.openCount()).isEqualTo(open + 1);
        one.close();
        one.close();
        assertThat(RegistryClient.CLIENTS.openCount()).isEqualTo(open + 1);
        other.close();
        assertThat(RegistryClient.CLIENTS.openCount()).isEqualTo(open);
    }

    @Test
    void sendsCredentials() throws RegistryException {
        new RegistryClient(settings("tide", SECRET, NONE, registry.url()), PATIENCE).schema(SEVEN);
        new RegistryClient(settings("", NONE, SECRET, registry.url()), PATIENCE).schema(SEVEN);

        assertThat(registry.authorizations()).containsExactly("Basic dGlkZTpzZWNyZXQ=", "Bearer secret");
    }

    @Test
    void trustsWhatTheSettingsSay(@TempDir Path folder)
            throws IOException, GeneralSecurityException, RegistryException {
        Path keys = folder.resolve("keys.p12");
        Path pem = folder.resolve("ca.pem");
        keytool("-genkeypair -keyalg EC -alias s -dname CN=localhost -ext san=dns:localhost -storetype PKCS12", keys);
        keytool("-exportcert -rfc -alias s -file " + pem, keys);
        try (FakeRegistry secure = FakeRegistry.secure(contextOf(keys))) {
            secure.answering("/schemas/ids/7", 200, "{\"schema\":\"\\\"long\\\"\"}");
            RegistrySettings trusting = new RegistrySettings(
                    uris(secure.url()),
                    UsedId.CONTENT,
                    "",
                    NONE,
                    NONE,
                    stores(pem.toString(), keys.toString(), SECRET));

            assertThat(new RegistryClient(trusting, PATIENCE).schema(SEVEN)).isPresent();
            assertOutage(
                    new RegistryClient(settings(secure.url()), PATIENCE),
                    "no answer",
                    "the server presented `CN=localhost`",
                    "trusted are the authorities that the worker's JVM trusts");
            RegistrySettings otherName = new RegistrySettings(
                    uris(secure.url().replace("localhost", "127.0.0.1")),
                    UsedId.CONTENT,
                    "",
                    NONE,
                    NONE,
                    trusting.tls());
            assertOutage(new RegistryClient(otherName, PATIENCE), "no answer", "127.0.0.1");
            RegistrySettings nobody = new RegistrySettings(
                    uris(secure.url()), UsedId.CONTENT, "", NONE, NONE, stores(pem.toString(), "", NONE));
            assertOutage(new RegistryClient(nobody, PATIENCE), "no answer");
        }
    }

    @Test
    void readsTheTrustedCertificatesAgainWhenTheyChange(@TempDir Path folder)
            throws IOException, GeneralSecurityException, RegistryException {
        Path keys = folder.resolve("keys.p12");
        Path pem = folder.resolve("ca.pem");
        Path other = folder.resolve("other.p12");
        keytool("-genkeypair -keyalg EC -alias s -dname CN=localhost -ext san=dns:localhost -storetype PKCS12", keys);
        keytool("-genkeypair -keyalg EC -alias s -dname CN=other -storetype PKCS12", other);
        keytool("-exportcert -rfc -alias s -file " + pem, other);
        try (FakeRegistry secure = FakeRegistry.secure(contextOf(keys))) {
            secure.answering("/schemas/ids/7", 200, "{\"schema\":\"\\\"long\\\"\"}");
            RegistryClient client = new RegistryClient(
                    new RegistrySettings(
                            uris(secure.url()),
                            UsedId.CONTENT,
                            "",
                            NONE,
                            NONE,
                            stores(pem.toString(), keys.toString(), SECRET)),
                    PATIENCE);
            assertOutage(client, "trusted are schema.registry.ssl.truststore.location `CN=other`");

            Files.delete(pem);
            keytool("-exportcert -rfc -alias s -file " + pem, keys);

            assertThat(client.schema(SEVEN)).isPresent();
        }
    }

    private static TlsSettings stores(String trust, String keys, Password password) {
        return TlsSettings.ofFiles("schema.registry.", trust, NONE, keys, password);
    }

    @Test
    void saysWhichFileCannotBeUsed() {
        RegistrySettings settings = new RegistrySettings(
                uris(registry.url()), UsedId.CONTENT, "", NONE, NONE, stores("/no/such", "", NONE));

        RegistryClient client = new RegistryClient(settings, PATIENCE);

        assertThatThrownBy(() -> client.schema(SEVEN))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("schema.registry.ssl.truststore.location");
    }

    private static void keytool(String options, Path store) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-keystore",
                store.toString(),
                "-storepass",
                SECRET.value()));
        command.addAll(List.of(options.split(" ")));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
        assertThat(process.onExit().join().exitValue()).as(output).isZero();
    }

    private static SSLContext contextOf(Path keys) throws IOException, GeneralSecurityException {
        KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        char[] password = SECRET.value().toCharArray();
        KeyStore own = KeyStore.getInstance(keys.toFile(), password);
        factory.init(own, password);
        KeyStore clients = KeyStore.getInstance("PKCS12");
        clients.load(null, null);
        clients.setCertificateEntry("the same", own.getCertificate("s"));
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(clients);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(factory.getKeyManagers(), trust.getTrustManagers(), null);
        return context;
    }
}
