package io.tidegate.connect.jsonb;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.function.Predicate;

/**
 * A server that speaks PostgreSQL's protocol and is not quite PostgreSQL: a proxy in front of a real one, which notes what
 * clients send and refuses some of it. A refused statement reaches the server as a syntax error, so that the server ends
 * the transaction as it always does, and only the code of its answer is replaced. Thread-safe.
 */
final class RefusingProxy implements AutoCloseable {
    private static final String MARK = "refused_by_the_proxy";
    private static final int SSL_REQUEST = 80_877_103;
    private static final int GSS_REQUEST = 80_877_104;

    private final ServerSocket listener;
    private final int target;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final Set<String> statements = new CopyOnWriteArraySet<>(); // in their order
    private final Set<String> startups = new CopyOnWriteArraySet<>();
    private volatile Predicate<String> isRefused = what -> false;
    private volatile String state = "";
    private volatile boolean commitsEach;

    RefusingProxy(int target) {
        this.target = target;
        try {
            listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        run(this::accept);
    }

    int port() {
        return listener.getLocalPort();
    }

    /** From now on, statements and settings of the session's start of which this is true are refused with the state. */
    void refuse(Predicate<String> what, String withState) {
        statements.clear();
        startups.clear();
        state = withState;
        isRefused = what;
    }

    /** Whether new sessions commit each of several statements that are sent together. */
    void commitEach(boolean each) {
        commitsEach = each;
    }

    /** The statements that were sent since, refused ones included. */
    List<String> statements() {
        return List.copyOf(statements);
    }

    /** The settings of sessions at their start, as {@code name=value}; those in {@code options} one by one. */
    List<String> startups() {
        return List.copyOf(startups);
    }

    private static void run(Runnable work) {
        Thread thread = new Thread(work, "refusing-proxy");
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket client = listener.accept();
                open.add(client);
                run(() -> serve(client));
            } catch (IOException e) {
                return; // closed
            }
        }
    }

    private void serve(Socket client) {
        try (client;
                Socket server = new Socket(InetAddress.getLoopbackAddress(), target)) {
            open.add(server);
            client.setTcpNoDelay(true);
            server.setTcpNoDelay(true);
            DataInputStream in = new DataInputStream(client.getInputStream());
            DataOutputStream toServer = new DataOutputStream(new BufferedOutputStream(server.getOutputStream()));
            if (begin(in, new DataOutputStream(client.getOutputStream()), toServer)) {
                Queue<Boolean> ends = new ConcurrentLinkedQueue<>();
                run(() -> answer(server, client, ends));
                boolean isEachCommitted = commitsEach;
                byte last = 0;
                while (true) {
                    last = forward(in, toServer, isEachCommitted && last == 'E', ends);
                }
            }
        } catch (IOException e) {
            open.remove(client); // one of the two has gone
        }
    }

    /** Whether the session begins. */
    private boolean begin(DataInputStream in, DataOutputStream toClient, DataOutputStream toServer) throws IOException {
        while (true) {
            byte[] startup = in.readNBytes(in.readInt() - Integer.BYTES);
            int code = new DataInputStream(new java.io.ByteArrayInputStream(startup)).readInt();
            if (code == SSL_REQUEST || code == GSS_REQUEST) {
                toClient.writeByte('N');
                continue;
            }
            List<String> settings = settings(startup);
            startups.addAll(settings);
            if (settings.stream().anyMatch(isRefused)) {
                byte[] error = error();
                toClient.writeByte('E');
                toClient.writeInt(error.length + Integer.BYTES);
                toClient.write(error);
                return false;
            }
            toServer.writeInt(startup.length + Integer.BYTES);
            toServer.write(startup);
            toServer.flush();
            return true;
        }
    }

    private static List<String> settings(byte[] startup) {
        String[] texts = new String(startup, Integer.BYTES, startup.length - Integer.BYTES, UTF_8).split("\0", 0);
        List<String> settings = new ArrayList<>();
        for (int i = 0; i + 1 < texts.length; i += 2) {
            if (texts[i].equals("options")) {
                for (String option : texts[i + 1].replace("-c ", "").split(" ", 0)) {
                    settings.add("option " + option.split("=", 2)[0]);
                }
            } else if (!Set.of("user", "database").contains(texts[i])) {
                settings.add("parameter " + texts[i]);
            }
        }
        return settings;
    }

    private byte[] error() {
        return ("SERROR\0VERROR\0C" + state + "\0Mthis server does not have that\0\0").getBytes(UTF_8);
    }

    /**
     * Forwards the next message.
     *
     * @param isExecuted whether what is to be committed by itself comes before it
     * @param ends for each answer of the server that it is ready: whether the client awaits it
     * @return its type
     */
    private byte forward(DataInputStream in, DataOutputStream toServer, boolean isExecuted, Queue<Boolean> ends)
            throws IOException {
        byte type = in.readByte();
        if (isExecuted && type != 'S') {
            ends.add(false);
            toServer.writeByte('S');
            toServer.writeInt(Integer.BYTES);
        }
        if (type == 'S' || type == 'Q') {
            ends.add(true);
        }
        byte[] body = in.readNBytes(in.readInt() - Integer.BYTES);
        if (type == 'Q' || type == 'P') {
            body = noted(type, body);
        }
        toServer.writeByte(type);
        toServer.writeInt(body.length + Integer.BYTES);
        toServer.write(body);
        if (in.available() == 0) {
            toServer.flush();
        }
        return type;
    }

    private byte[] noted(byte type, byte[] body) throws IOException {
        int from = type == 'Q' ? 0 : end(body, 0) + 1; // a Parse begins with the statement's name
        int to = end(body, from);
        String statement = new String(body, from, to - from, UTF_8);
        statements.add(statement);
        if (!isRefused.test(statement)) {
            return body;
        }
        ByteArrayOutputStream refused = new ByteArrayOutputStream();
        refused.write(body, 0, from);
        refused.write(MARK.getBytes(UTF_8));
        refused.write(type == 'Q' ? new byte[1] : new byte[3]); // a Parse ends with the number of its types
        return refused.toByteArray();
    }

    private static int end(byte[] body, int from) {
        int end = from;
        while (body[end] != 0) {
            end++;
        }
        return end;
    }

    private void answer(Socket server, Socket client, Queue<Boolean> ends) {
        try (server;
                client) {
            DataInputStream in = new DataInputStream(server.getInputStream());
            DataOutputStream toClient = new DataOutputStream(new BufferedOutputStream(client.getOutputStream()));
            while (true) {
                byte type = in.readByte();
                byte[] body = in.readNBytes(in.readInt() - Integer.BYTES);
                if (type == 'Z' && Boolean.FALSE.equals(ends.poll())) {
                    continue;
                }
                if (type == 'E' && new String(body, UTF_8).contains(MARK)) {
                    body = error();
                }
                toClient.writeByte(type);
                toClient.writeInt(body.length + Integer.BYTES);
                toClient.write(body);
                if (in.available() == 0) {
                    toClient.flush();
                }
            }
        } catch (IOException e) {
            open.remove(server); // one of the two has gone
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
        for (Socket socket : open) {
            socket.close();
        }
    }
}
