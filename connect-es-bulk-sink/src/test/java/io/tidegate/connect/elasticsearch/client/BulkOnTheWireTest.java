package io.tidegate.connect.elasticsearch.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.tidegate.connect.common.tls.TlsSettings;
import io.tidegate.connect.elasticsearch.Documents;
import io.tidegate.connect.elasticsearch.StubServer;
import io.tidegate.connect.elasticsearch.bulk.BulkBody;
import io.tidegate.connect.elasticsearch.client.tls.TestTls;
import io.tidegate.connect.elasticsearch.settings.ConnectionSettings;
import io.tidegate.connect.elasticsearch.settings.DocumentSettings;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a bulk request is on the wire: the client must not cut it up by documents. */
@Timeout(60)
final class BulkOnTheWireTest {
    private static final int LEAST_BYTES_OF_A_RECORD = 4 << 10;

    /** Of the handshake and the request's head. */
    private static final int OTHER_RECORDS = 20;

    @Test
    void tlsRecordsGrowWithBytesAndNotWithDocuments() throws Exception {
        HttpsServer https = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        https.setHttpsConfigurator(new HttpsConfigurator(TestTls.serverContext()));
        try (StubServer server = new StubServer(https);
                Relay relay = new Relay(server.port())) {
            int few = records(relay, server, 10);
            int many = records(relay, server, 10_000);
            long bytes = server.requests().get(1).body().length;
            assertThat(server.requests().get(1).headers().getFirst("Content-Length"))
                    .isEqualTo(Long.toString(bytes));
            assertThat(few).isLessThan(OTHER_RECORDS);
            assertThat(many).isGreaterThan(few).isLessThan((int) bytes / LEAST_BYTES_OF_A_RECORD + OTHER_RECORDS);
        }
    }

    /** TLS records from client to server for one bulk request on a new connection. */
    private static int records(Relay relay, StubServer server, int documents) throws Exception {
        server.answers(200, StubServer.NO_ERRORS);
        BulkBody body = new BulkBody(
                DocumentSettings.from(new AbstractConfig(DocumentSettings.define(new ConfigDef()), Map.of(), false)),
                Documents.index(),
                false);
        Documents.numbered("tides", documents).forEach(body::add);
        ConfigDef def = TlsSettings.define(ConnectionSettings.define(new ConfigDef()));
        Map<String, String> props =
                Map.of("connection.url", "https://localhost:" + relay.port(), "ssl.ca", TestTls.pem("ca.pem"));
        relay.records.set(0);
        ConnectionSettings settings = ConnectionSettings.from(new AbstractConfig(def, props, false));
        try (ElasticsearchClient client = ElasticsearchClient.open(settings)) {
            Request bulk = new Request("POST", "/_bulk", Map.of(), Optional.of(body.data()), false);
            assertThat(new ElasticsearchSession(client, settings)
                            .perform(bulk, "a bulk request")
                            .status())
                    .isEqualTo(200);
        }
        return relay.records.get();
    }

    /** Stands between client and server and counts the TLS records that the client sends (RFC 8446, 5.1). */
    private static final class Relay implements AutoCloseable {
        private final AtomicInteger records = new AtomicInteger();
        private final ServerSocket socket = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
        private final int target;

        Relay(int target) throws IOException {
            this.target = target;
            new Thread(this::accept, "relay").start();
        }

        int port() {
            return socket.getLocalPort();
        }

        private void accept() {
            while (!socket.isClosed()) {
                try (Socket client = socket.accept();
                        Socket server = new Socket(InetAddress.getLoopbackAddress(), target)) {
                    Thread back = new Thread(() -> pump(server, client), "relay-back");
                    back.start();
                    count(client, server);
                    server.shutdownOutput();
                    back.join();
                } catch (SocketException | EOFException e) {
                    // one side is done
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
        }

        private static void pump(Socket from, Socket to) {
            try {
                from.getInputStream().transferTo(to.getOutputStream());
            } catch (IOException e) {
                // one side is done
            }
        }

        private void count(Socket from, Socket to) throws IOException {
            DataInputStream in = new DataInputStream(from.getInputStream());
            DataOutputStream out = new DataOutputStream(to.getOutputStream());
            for (int type = in.read(); type >= 0; type = in.read()) {
                int version = in.readUnsignedShort();
                byte[] content = new byte[in.readUnsignedShort()];
                in.readFully(content);
                records.incrementAndGet();
                out.write(type);
                out.writeShort(version);
                out.writeShort(content.length);
                out.write(content);
                out.flush();
            }
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }
}
