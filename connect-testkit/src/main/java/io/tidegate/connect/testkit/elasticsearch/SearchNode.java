package io.tidegate.connect.testkit.elasticsearch;

import io.tidegate.connect.testkit.process.ChildServer;
import io.tidegate.connect.testkit.process.Folders;
import io.tidegate.connect.testkit.process.Jvm;
import io.tidegate.connect.testkit.process.JvmServerBuilder;
import io.tidegate.connect.testkit.process.Log4j;
import io.tidegate.connect.testkit.process.ServerRelease;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** A node of Elasticsearch or OpenSearch: its ports, its files and its JVM. */
abstract class SearchNode extends ChildServer implements SearchServer {
    private static final String HEAP = "512m"; // with half of it, tests take a tenth more CPU
    private static final String LOG_PATTERN = "%d %p [%node_name]%marker %m (%c{1.})%n";

    private final String product;
    private final String name;
    private final ServerRelease release;
    private final JvmServerBuilder<?> builder;

    /** @param product as in the name of the settings file */
    SearchNode(String product, String name, ServerRelease release, JvmServerBuilder<?> builder) {
        super(product);
        this.product = product;
        this.name = name;
        this.release = release;
        this.builder = builder;
    }

    /** The settings of this kind of node. The builder's settings override them. */
    abstract Map<String, String> settings();

    /** The main class with its JVM options and arguments. The node's folder is passed before the arguments. */
    abstract Main main();

    /** The node's class path, from the one of its release. */
    String classPath(String ofRelease) {
        return ofRelease;
    }

    record Main(String className, List<String> options, List<String> arguments) {}

    final String name() {
        return name;
    }

    final Path config() {
        return folder().resolve("config");
    }

    @Override
    protected Launch prepare() {
        Path config = Folders.create(config());
        Folders.write(config.resolve(product + ".yml"), yaml());
        Log4j.write(config.resolve("log4j2.properties"), LOG_PATTERN);
        Main main = main();
        List<String> options = new ArrayList<>(main.options());
        options.add("-Djava.io.tmpdir=" + Folders.create(folder().resolve("tmp")));
        List<String> arguments = new ArrayList<>(List.of(folder().toString()));
        arguments.addAll(main.arguments());
        String classPath = classPath(release.classPath(folder(), log()));
        Jvm jvm = release.on(builder.jvm().withUsualHeap(HEAP));
        return Launch.of(jvm, classPath, options, main.className(), arguments, Map.of());
    }

    /** Writes a value in brackets as a list. */
    private String yaml() {
        Map<String, String> all = new LinkedHashMap<>();
        all.put("cluster.name", "testkit");
        all.put("node.name", name);
        all.put("network.host", "127.0.0.1");
        all.put("http.port", Integer.toString(port("http")));
        all.put("transport.port", Integer.toString(port("transport")));
        // Otherwise a nearly full disk would make the indices read-only.
        all.put("cluster.routing.allocation.disk.threshold_enabled", "false");
        all.putAll(settings());
        all.putAll(builder.properties());
        return all.entrySet().stream()
                .map(entry -> entry.getKey() + ": " + scalar(entry.getValue()) + "\n")
                .collect(Collectors.joining());
    }

    private static String scalar(String value) {
        return value.startsWith("[") ? value : "'" + value.replace("'", "''") + "'";
    }
}
