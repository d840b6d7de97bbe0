package io.tidegate.connect.bench.micro;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Locale;

/**
 * A minimal endpoint for bulk requests over plain HTTP in this JVM. It skips the bodies and always reports success. A
 * request costs it little (a few hundred bytes of heap) and the same for every client, so that differences come from
 * the clients. Each connection has a thread.
 */
public final class BulkEndpoint implements AutoCloseable {
    private static final byte[] ROOT =
            answer("{\"name\":\"sink\",\"version\":{\"number\":\"8.19.0\"},\"tagline\":\"You Know, for Search\"}");

    private final ServerSocket listener;
    private final byte[] whole;
    private final byte[] filtered;

    /**
     * Listens on a loopback port.
     *
     * @param documents the documents of every bulk request, and thus the items of the response
     */
    public BulkEndpoint(int documents) {
        whole = answer("{\"errors\":false,\"took\":12,\"items\":[" + items(documents, BulkEndpoint::item) + "]}");
        filtered = answer(
                "{\"errors\":false,\"items\":[" + items(documents, number -> "{\"index\":{\"status\":201}}") + "]}");
        try {
            listener = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        start("bulk-endpoint", this::accept);
    }

    private static void start(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
    }

    /** The URL, without a slash at its end. */
    public String url() {
        return "http://127.0.0.1:" + port();
    }

    /** The port on 127.0.0.1. */
    public int port() {
        return listener.getLocalPort();
    }

    private interface Item {
        String of(int number);
    }

    private static String items(int documents, Item item) {
        StringBuilder items = new StringBuilder();
        for (int number = 0; number < documents; number++) {
            items.append(number == 0 ? "" : ",").append(item.of(number));
        }
        return items.toString();
    }

    /** An item as Elasticsearch 8 writes it. */
    private static String item(int number) {
        return "{\"index\":{\"_index\":\"" + Readings.TOPIC + "\",\"_id\":\"" + Readings.TOPIC + "+0+" + number
                + "\",\"_version\":1,\"result\":\"created\",\"_shards\":{\"total\":2,\"successful\":1,\"failed\":0},"
                + "\"_seq_no\":" + number + ",\"_primary_term\":1,\"status\":201}}";
    }

    private static byte[] answer(String json) {
        return ("HTTP/1.1 200 OK\r\nX-Elastic-Product: Elasticsearch\r\n"
                        + "content-type: application/vnd.elasticsearch+json;compatible-with=8\r\ncontent-length: "
                        + json.length() + "\r\n\r\n" + json)
                .getBytes(ISO_8859_1);
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket socket = listener.accept();
                socket.setTcpNoDelay(true);
                start("bulk-endpoint-connection", () -> serve(socket));
            } catch (IOException e) {
                return; // closed
            }
        }
    }

    private void serve(Socket socket) {
        try (Socket closing = socket;
                OutputStream out = closing.getOutputStream()) {
            Requests requests = new Requests(closing.getInputStream());
            while (true) {
                String head = requests.skipRequest();
                out.write(answerTo(head));
            }
        } catch (IOException e) {
            // The client has closed the connection. If that is an error, the client reports it.
        }
    }

    private byte[] answerTo(String head) {
        String target = head.substring(0, head.indexOf('\r'));
        if (!target.contains("_bulk")) {
            return ROOT;
        }
        return target.contains("filter_path") ? filtered : whole;
    }

    /** Reads requests one after the other, through a reused buffer. */
    private static final class Requests {
        private static final int CAPACITY = 64 << 10;
        private static final String LENGTH = "\r\ncontent-length: ";
        private static final int HEXADECIMAL = 16;

        private final InputStream in;
        private final byte[] buffer = new byte[CAPACITY];
        private int position;
        private int limit;

        Requests(InputStream in) {
            this.in = in;
        }

        /** Reads a request to its end and returns its head, in lower case. */
        String skipRequest() throws IOException {
            StringBuilder read = new StringBuilder();
            while (!endsHead(read)) {
                read.append((char) next());
            }
            String head = read.toString().toLowerCase(Locale.ROOT);
            int length = head.indexOf(LENGTH);
            if (length >= 0) {
                int from = length + LENGTH.length();
                skip(Integer.parseInt(head, from, head.indexOf('\r', from), 10));
            } else if (head.contains("\r\ntransfer-encoding: chunked\r")) {
                skipChunks();
            }
            return head;
        }

        private static boolean endsHead(StringBuilder read) {
            int length = read.length();
            return length >= 4
                    && read.charAt(length - 1) == '\n'
                    && read.charAt(length - 2) == '\r'
                    && read.charAt(length - 3) == '\n';
        }

        private void skipChunks() throws IOException {
            int length;
            do {
                length = chunkLength();
                skip(length + 2); // and the end of the line
            } while (length > 0);
        }

        private int chunkLength() throws IOException {
            int length = 0;
            for (int c = next(); c != '\r'; c = next()) {
                length = length * HEXADECIMAL + Character.digit(c, HEXADECIMAL);
            }
            next();
            return length;
        }

        private void skip(int bytes) throws IOException {
            int left = bytes;
            while (left > 0) {
                int here = Math.min(left, limit - position);
                position += here;
                left -= here;
                if (left > 0) {
                    fill();
                }
            }
        }

        private int next() throws IOException {
            if (position == limit) {
                fill();
            }
            return buffer[position++];
        }

        private void fill() throws IOException {
            position = 0;
            limit = in.read(buffer);
            if (limit < 0) {
                limit = 0;
                throw new EOFException("the client has closed the connection");
            }
        }
    }

    @Override
    public void close() {
        try {
            listener.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
