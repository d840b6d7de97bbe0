package io.tidegate.connect.testkit.postgres;

import io.tidegate.connect.testkit.net.Http;
import io.tidegate.connect.testkit.net.Ports;
import io.tidegate.connect.testkit.process.ChildServer;
import io.tidegate.connect.testkit.process.Programs;
import io.tidegate.connect.testkit.process.ServerException;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A single etcd on loopback, from the program of that name: where {@link Patroni} keeps who the leader is. */
final class Etcd extends ChildServer {
    private static final Optional<Path> PROGRAM = Programs.find("etcd");
    private static final int OK = 200;

    private final HttpClient http = Http.plain(Duration.ofSeconds(2));
    private int clientPort;
    private int peerPort;

    Etcd() {
        super("etcd");
        choosePorts();
    }

    static boolean isInstalled() {
        return PROGRAM.isPresent();
    }

    /** Fixed once it has started. */
    String address() {
        return "127.0.0.1:" + clientPort;
    }

    @Override
    protected void choosePorts() {
        clientPort = Ports.free();
        peerPort = Ports.free();
    }

    @Override
    protected Launch prepare() {
        String clients = "http://" + address();
        String peers = "http://127.0.0.1:" + peerPort;
        return new Launch(
                List.of(
                        PROGRAM.orElseThrow(() -> new ServerException("etcd is not installed"))
                                .toString(),
                        "--name=testkit",
                        "--data-dir=" + folder().resolve("data"),
                        "--listen-client-urls=" + clients,
                        "--advertise-client-urls=" + clients,
                        "--listen-peer-urls=" + peers,
                        "--initial-advertise-peer-urls=" + peers,
                        "--initial-cluster=testkit=" + peers),
                Map.of());
    }

    @Override
    protected boolean isReady() {
        return Http.status(http, URI.create("http://" + address() + "/health"), Map.of()) == OK;
    }

    @Override
    public String toString() {
        return "etcd " + address();
    }
}
