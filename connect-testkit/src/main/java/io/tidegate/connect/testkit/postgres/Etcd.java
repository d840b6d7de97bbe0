package io.tidegate.connect.testkit.postgres;

import io.tidegate.connect.testkit.net.Http;
import io.tidegate.connect.testkit.process.ChildServer;
import io.tidegate.connect.testkit.process.Programs;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** A single etcd on loopback, from the program of that name: where {@link Patroni} keeps who the leader is. */
final class Etcd extends ChildServer {
    private static final int OK = 200;

    private final HttpClient http = Http.plain(Duration.ofSeconds(2));

    Etcd() {
        super("etcd");
    }

    static boolean isInstalled() {
        return Programs.find("etcd").isPresent();
    }

    /** Fixed once it has started. */
    String address() {
        return "127.0.0.1:" + port("clients");
    }

    @Override
    protected Launch prepare() {
        String clients = "http://" + address();
        String peers = "http://127.0.0.1:" + port("peers");
        return new Launch(
                List.of(
                        Programs.path("etcd"),
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
