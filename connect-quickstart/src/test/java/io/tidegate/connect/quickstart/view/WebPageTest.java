package io.tidegate.connect.quickstart.view;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.connect.cli.ToolException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class WebPageTest {
    private WebPage page;

    @BeforeEach
    void open() throws ToolException {
        page = new WebPage(0, Duration.ZERO);
    }

    @AfterEach
    void close() {
        page.close();
    }

    @ParameterizedTest
    @CsvSource({
        "/, text/html, <title>Tidegate",
        "/page.css, text/css, prefers-color-scheme",
        "/page.js, text/javascript, fetch"
    })
    void servesThePageAndItsFiles(String path, String type, String content) throws Exception {
        assertThat(get(path, "127.0.0.1:" + port()))
                .startsWith("HTTP/1.1 200")
                .containsIgnoringCase("Content-Type: " + type + "; charset=utf-8")
                .contains(content);
    }

    @Test
    void servesTheStateThatWasPublishedLast() throws Exception {
        page.publish("{\"n\":1}");
        page.publish("{\"n\":2}");

        assertThat(get("/state", "localhost:" + port()))
                .containsIgnoringCase("Content-Type: application/json")
                .containsIgnoringCase("Cache-Control: no-store")
                .endsWith("{\"n\":2}");
    }

    /** Somebody's page whose name was made to lead to 127.0.0.1, while the user has it open. */
    @ParameterizedTest
    @ValueSource(strings = {"tides.example", "tides.example:8080", "127.0.0.1.tides.example", "", "[::1]:8080"})
    void answersNoForeignName(String host) throws Exception {
        page.publish("{\"secret\":1}");

        assertThat(get("/state", host)).startsWith("HTTP/1.1 421").doesNotContain("secret");
        assertThat(get("/", host)).startsWith("HTTP/1.1 421").doesNotContain("<title>");
    }

    @ParameterizedTest
    @ValueSource(strings = {"POST", "PUT", "DELETE", "OPTIONS"})
    void answersOnlyReads(String method) throws Exception {
        assertThat(ask(page, method, "/state", "127.0.0.1"))
                .startsWith("HTTP/1.1 405")
                .containsIgnoringCase("Allow: GET");
    }

    @Test
    void hasNothingElse() throws Exception {
        assertThat(get("/../pom.xml", "127.0.0.1")).startsWith("HTTP/1.1 404");
        assertThat(get("/WebPage.class", "127.0.0.1")).startsWith("HTTP/1.1 404");
    }

    @Test
    void letsThePageUseNoOtherHost() throws Exception {
        assertThat(get("/", "127.0.0.1"))
                .containsIgnoringCase("Content-Security-Policy: default-src 'none'; script-src 'self';")
                .containsIgnoringCase("frame-ancestors 'none'")
                .doesNotContain("http:")
                .doesNotContain("https:");
        assertThat(page.address().getHost()).isEqualTo("127.0.0.1");
    }

    @Test
    void namesAPortThatIsTaken() {
        assertThatThrownBy(() -> new WebPage(port(), Duration.ZERO))
                .isInstanceOf(ToolException.class)
                .hasMessageStartingWith("--web cannot use port " + port() + ": ")
                .hasMessageEndingWith("; leave it out to get a free one");
    }

    @Test
    void letsAnOpenPageReadTheLastStateBeforeItCloses() throws Exception {
        WebPage open = new WebPage(0, Duration.ofMinutes(1));
        ExecutorService threads = Executors.newSingleThreadExecutor();
        try {
            read(open);
            open.publish("{\"last\":true}");
            Future<?> closed = threads.submit(open::close);
            String last = "";
            while (!closed.isDone()) {
                last = read(open).orElse(last);
            }

            assertThat(last).endsWith("{\"last\":true}");
            assertThat(read(open)).isEmpty();
        } finally {
            threads.shutdownNow();
        }
    }

    /** Nothing once the page is closed. */
    private static Optional<String> read(WebPage page) {
        try {
            String answer = ask(page, "GET", "/state", "127.0.0.1");
            return answer.isEmpty() ? Optional.empty() : Optional.of(answer);
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private int port() {
        return page.address().getPort();
    }

    private String get(String path, String host) throws IOException {
        return ask(page, "GET", path, host);
    }

    /** Java's own client sends no Host that its user chooses. */
    private static String ask(WebPage page, String method, String path, String host) throws IOException {
        try (Socket socket =
                new Socket(InetAddress.getLoopbackAddress(), page.address().getPort())) {
            socket.setSoTimeout(10_000); // a page that closes may leave a new connection without an answer
            socket.getOutputStream()
                    .write((method + " " + path + " HTTP/1.1\r\nHost: " + host
                                    + "\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
                            .getBytes(UTF_8));
            return new String(socket.getInputStream().readAllBytes(), UTF_8);
        }
    }
}
