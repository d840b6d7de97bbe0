package io.tidegate.connect.testkit.postgres;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidegate.connect.testkit.net.Http;
import io.tidegate.connect.testkit.net.Passwords;
import io.tidegate.connect.testkit.net.RestClient;
import io.tidegate.connect.testkit.process.Poll;
import io.tidegate.connect.testkit.process.Programs;
import io.tidegate.connect.testkit.process.ServerException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A cluster of PostgreSQL servers that Patroni keeps, with an etcd, all from programs of the system: see {@link
 * #isInstalled}. It replicates asynchronously until it is told otherwise. One thread calls it.
 */
public final class Patroni implements AutoCloseable {
    // Without a sign of life from the leader for so long, another node becomes it. Patroni asks for at least
    // loop_wait + 2 * retry_timeout; from 3.1 on it raises the number to 20.
    private static final int TTL_SECONDS = 10;
    private static final int LOOP_WAIT_SECONDS = 1;
    private static final int RETRY_SECONDS = 4;
    private static final long MOST_LAG_BYTES = 64 << 20;
    private static final Duration SOON = Duration.ofMinutes(3);
    private static final Path DEBIAN_POSTGRES = Path.of("/usr/lib/postgresql");

    private final String password = Passwords.random();
    private final HttpClient http = Http.plain(Duration.ofSeconds(2));
    private final Etcd etcd = new Etcd();
    private final List<PatroniNode> nodes = new ArrayList<>();

    private Patroni(int size) {
        for (int i = 1; i <= size; i++) {
            nodes.add(new PatroniNode(this, "node" + i));
        }
    }

    /** Whether Patroni, Python, etcd and a PostgreSQL with {@code pg_rewind} are there; Debian's packages hold them. */
    public static boolean isInstalled() {
        return Stream.of("patroni", "python3")
                        .allMatch(name -> Programs.find(name).isPresent())
                && Etcd.isInstalled()
                && findPostgresPrograms().isPresent();
    }

    /** A cluster of so many nodes that is not started yet. */
    public static Patroni ofNodes(int size) {
        return new Patroni(size);
    }

    /** Returns when there is a leader and all others follow it. */
    public Patroni start() {
        etcd.start();
        nodes.get(0).start();
        awaitLeader();
        nodes.forEach(PatroniNode::start);
        awaitStandbys();
        return this;
    }

    /** In the order of their names. */
    public List<PatroniNode> nodes() {
        return List.copyOf(nodes);
    }

    /** The address of all nodes, without user and password, which are those of each node. */
    public String jdbcUrl() {
        return nodes.stream()
                .map(node -> node.host() + ":" + node.port())
                .collect(Collectors.joining(
                        ",", "jdbc:postgresql://", "/" + nodes.get(0).database()));
    }

    /** The node that Patroni says is the leader, as soon as there is one. */
    public PatroniNode awaitLeader() {
        List<PatroniNode> found = new ArrayList<>();
        boolean isFound = Poll.until(
                () -> nodes.stream()
                        .filter(PatroniNode::isLeader)
                        .findFirst()
                        .map(found::add)
                        .isPresent(),
                SOON);
        if (!isFound) {
            throw new ServerException("No leader after %d s, see %s"
                    .formatted(
                            SOON.toSeconds(),
                            nodes.stream().map(PatroniNode::log).toList()));
        }
        return found.get(0);
    }

    /** Returns when all other nodes receive what the leader writes. */
    public void awaitStandbys() {
        if (!Poll.until(() -> awaitLeader().streamingStandbys() == nodes.size() - 1, SOON)) {
            throw new ServerException(
                    "Not all nodes follow the leader after %d s: %s".formatted(SOON.toSeconds(), members()));
        }
    }

    /**
     * Sets Patroni's {@code synchronous_mode}: whether a commit waits for a standby, and only that standby may become the
     * leader. Returns when this is so. To say it once more after a change of the leader is to wait for its standby.
     *
     * @throws ServerException if it is not within a minute
     */
    public void replicateSynchronously(boolean synchronous) {
        send("PATCH", "/config", "{\"synchronous_mode\": " + synchronous + "}");
        if (!Poll.until(() -> isSynchronous() == synchronous, SOON)) {
            throw new ServerException(
                    "synchronous_mode is not %s after %d s: %s".formatted(synchronous, SOON.toSeconds(), members()));
        }
    }

    private boolean isSynchronous() {
        return members().findValuesAsText("role").contains("sync_standby");
    }

    /** What Patroni says of each node. */
    private JsonNode members() {
        return RestClient.parse(send("GET", "/cluster", "")).path("members");
    }

    /** A planned change of the leader, to a standby that Patroni chooses. Returns the new leader when it is there. */
    public PatroniNode switchOver() {
        send("POST", "/switchover", "{\"leader\": \"" + awaitLeader().name() + "\"}");
        return awaitLeader();
    }

    /** What is committed from now on does not reach the standbys, and is lost when the leader is killed. */
    public void holdBackReplication() {
        awaitLeader().replication().swallow();
    }

    /** Kills the leader, its PostgreSQL and its Patroni alike, and what was held back of its replication. Returns it. */
    public PatroniNode killLeader() {
        PatroniNode leader = awaitLeader();
        leader.kill();
        leader.replication().cut();
        leader.replication().passOn();
        return leader;
    }

    private String send(String method, String path, String json) {
        return Http.exchange(http, method, awaitLeader().rest(path), Map.of(), json);
    }

    String password() {
        return password;
    }

    String etcd() {
        return etcd.address();
    }

    /** What the cluster starts with; etcd keeps it, {@link #replicateSynchronously} changes it. */
    String firstConfiguration() {
        return "{ttl: %d, loop_wait: %d, retry_timeout: %d, maximum_lag_on_failover: %d, postgresql: {use_pg_rewind: true}}"
                .formatted(TTL_SECONDS, LOOP_WAIT_SECONDS, RETRY_SECONDS, MOST_LAG_BYTES);
    }

    static Path postgresPrograms() {
        return findPostgresPrograms()
                .orElseThrow(() -> new ServerException("no PostgreSQL with pg_rewind below " + DEBIAN_POSTGRES));
    }

    /** Those of the newest version. The embedded ones hold neither {@code pg_basebackup} nor {@code pg_rewind}. */
    private static Optional<Path> findPostgresPrograms() {
        if (!Files.isDirectory(DEBIAN_POSTGRES)) {
            return Optional.empty();
        }
        try (Stream<Path> versions = Files.list(DEBIAN_POSTGRES)) {
            return versions.map(version -> version.resolve("bin"))
                    .filter(programs -> Files.isExecutable(programs.resolve("pg_rewind")))
                    .max(Comparator.comparingInt(programs ->
                            Integer.parseInt(programs.getParent().getFileName().toString())));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        nodes.forEach(PatroniNode::kill); // none is to become the leader once more
        for (PatroniNode node : nodes) {
            node.close();
            node.replication().close();
        }
        etcd.close();
    }
}
