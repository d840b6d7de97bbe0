package io.tidegate.connect.testkit.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class TcpProxyTest {
    private final ServerSocket server = listen();
    private final TcpProxy proxy = TcpProxy.to("127.0.0.1", server.getLocalPort());

    private static ServerSocket listen() {
        try {
            return new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @AfterEach
    void close() throws IOException {
        proxy.close();
        server.close();
    }

    private Socket client() throws IOException {
        Socket client = new Socket(proxy.host(), proxy.port());
        client.setSoTimeout(10_000);
        return client;
    }

    @Test
    void passesBytesOnInBothDirectionsAndTheEnd() throws IOException {
        try (Socket client = client();
                Socket accepted = server.accept()) {
            client.getOutputStream().write(1);
            assertThat(accepted.getInputStream().read()).isEqualTo(1);
            accepted.getOutputStream().write(2);
            assertThat(client.getInputStream().read()).isEqualTo(2);

            client.close();
            assertThat(accepted.getInputStream().read()).isEqualTo(-1);
        }
    }

    @Test
    void closesAConnectionOverWhichTheTargetSendsNothing() throws IOException {
        proxy.cutAfterSilence(Duration.ofMillis(50));
        try (Socket client = client();
                Socket accepted = server.accept()) {
            assertThat(client.getInputStream().read()).isEqualTo(-1);
            assertThat(accepted.getInputStream().read()).isEqualTo(-1);
        }
    }

    @Test
    void holdsDataBackUntilToldToForwardIt() throws IOException {
        try (Socket client = client();
                Socket accepted = server.accept()) {
            accepted.setSoTimeout(100);
            proxy.swallow();
            client.getOutputStream().write(1);
            client.close();
            assertThatThrownBy(() -> accepted.getInputStream().read()).isInstanceOf(SocketTimeoutException.class);

            proxy.passOn();
            accepted.setSoTimeout(10_000);
            assertThat(accepted.getInputStream().read()).isEqualTo(1);
            assertThat(accepted.getInputStream().read()).isEqualTo(-1);
        }
    }

    @Test
    void movesAndCuts() throws IOException {
        try (ServerSocket other = listen();
                Socket first = client();
                Socket accepted = server.accept()) {
            proxy.moveTo("127.0.0.1", other.getLocalPort());
            first.getOutputStream().write(1);
            assertThat(accepted.getInputStream().read()).isEqualTo(1);

            proxy.cut();
            await().untilAsserted(() -> assertThat(readOrEnd(first)).isEqualTo(-1));
            try (Socket second = client();
                    Socket acceptedThere = other.accept()) {
                second.getOutputStream().write(2);
                assertThat(acceptedThere.getInputStream().read()).isEqualTo(2);
            }
        }
    }

    private static int readOrEnd(Socket socket) {
        try {
            return socket.getInputStream().read();
        } catch (IOException e) {
            return -1;
        }
    }
}
