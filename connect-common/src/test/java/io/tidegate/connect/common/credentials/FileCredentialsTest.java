package io.tidegate.connect.common.credentials;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.connect.common.settings.Problem;
import io.tidegate.connect.common.settings.SettingGroup;
import io.tidegate.connect.common.testing.TestClock;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The provider that reads a file, as the sinks get it from their settings. */
final class FileCredentialsTest {
    private static final Login LOGIN = new Login("db", 5432, "tide");
    private static final HttpCall CALL =
            new HttpCall("GET", URI.create("http://es:9200/"), Map.of(), ByteBuffer.allocate(0));

    @TempDir
    private Path folder;

    private static CredentialsSettings settings(String... more) {
        return CredentialsSettings.from(config(more));
    }

    private static List<Problem> problems(String... more) {
        return CredentialsSettings.problems(config(more));
    }

    private static AbstractConfig config(String... more) {
        ConfigDef def = CredentialsSettings.defineForRequests(new SettingGroup(new ConfigDef(), "Connection"))
                .configDef();
        Map<String, String> props = new HashMap<>();
        for (int i = 0; i < more.length; i += 2) {
            props.put(more[i], more[i + 1]);
        }
        return new AbstractConfig(def, props, false);
    }

    private CredentialsSource source(String scheme) {
        return settings(
                        "connection.credentials.provider",
                        "file",
                        "connection.credentials.file.path",
                        file().toString(),
                        "connection.credentials.file.scheme",
                        scheme)
                .open(new TestClock())
                .orElseThrow();
    }

    private Path file() {
        return folder.resolve("token");
    }

    @Test
    void eachAnswerIsWhatTheFileHoldsNow() throws Exception {
        try (CredentialsSource source = source("bearer")) {
            Files.writeString(file(), "first\n");
            assertThat(source.password(LOGIN).value()).isEqualTo("first");
            Files.writeString(file(), "other with a space \r\n\n");
            assertThat(source.password(LOGIN).value()).isEqualTo("other with a space ");
        }
    }

    @Test
    void followsALinkThatLeadsToAnotherFileThanBefore() throws Exception {
        Path first = Files.writeString(folder.resolve("1"), "first");
        Path second = Files.writeString(folder.resolve("2"), "second");
        Files.setLastModifiedTime(second, Files.getLastModifiedTime(first));
        Files.createSymbolicLink(file(), first);
        try (CredentialsSource source = source("bearer")) {
            assertThat(source.password(LOGIN).value()).isEqualTo("first");
            Files.delete(file());
            Files.createSymbolicLink(file(), second);
            assertThat(source.password(LOGIN).value()).isEqualTo("second");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "bearer, token, Bearer token",
        "api_key, ZW5jb2RlZA==, ApiKey ZW5jb2RlZA==",
        "api_key, id:key, ApiKey aWQ6a2V5",
        "basic, user:password, Basic dXNlcjpwYXNzd29yZA==",
    })
    void aRequestCarriesTheSecretAsItsSchemeSays(String scheme, String content, String header) throws Exception {
        Files.writeString(file(), content);
        try (CredentialsSource source = source(scheme)) {
            assertThat(source.headers(CALL)).isEqualTo(Map.of("Authorization", header));
        }
    }

    @Test
    void aFileThatIsMissingOrUnfitSaysSoWithoutItsContent() throws IOException {
        try (CredentialsSource source = source("bearer")) {
            assertFails(source, "does not exist");
            Files.writeString(file(), " \n");
            assertFails(source, "is empty");
            Files.writeString(file(), "hidden\nsecret\n");
            assertFails(source, "has several lines");
            Files.write(file(), new byte[] {(byte) 0xFF, (byte) 0xFE});
            assertFails(source, "is not text");
            Files.write(file(), new byte[100_000]);
            assertFails(source, "so it is no secret");
        }
    }

    private void assertFails(CredentialsSource source, String reason) {
        assertThatThrownBy(() -> source.password(LOGIN))
                .isInstanceOf(CredentialsException.class)
                .hasMessageStartingWith("connection.credentials.provider=file has no credentials: " + file())
                .hasMessageContaining(reason)
                .hasMessageNotContaining("hidden");
    }

    @Test
    void settingsSayWhatIsMissing() {
        assertThat(problems()).isEmpty();
        assertThat(settings().open(new TestClock())).isEmpty();
        assertThat(problems("connection.credentials.provider", "file"))
                .extracting(Problem::key)
                .isEqualTo(List.of("connection.credentials.file.path"));
        assertThat(problems("connection.credentials.provider", "aws"))
                .singleElement()
                .satisfies(problem -> assertThat(problem.message()).contains("connect-aws-VERSION.jar"));
        assertThatThrownBy(() ->
                        settings("connection.credentials.provider", "vault").open(new TestClock()))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("no provider vault");
    }

    @Test
    void theTextFormShowsNoSettingOfAProvider() {
        assertThat(settings("connection.credentials.provider", "mine", "connection.credentials.mine.key", "hidden"))
                .hasToString("credentials of the provider mine")
                .satisfies(settings -> assertThat(settings.option("connection.credentials.mine.key"))
                        .contains("hidden"));
    }
}
