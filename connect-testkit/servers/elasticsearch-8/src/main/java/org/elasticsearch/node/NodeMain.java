package org.elasticsearch.node;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import org.elasticsearch.bootstrap.BootstrapInfo;
import org.elasticsearch.common.logging.LogConfigurator;
import org.elasticsearch.common.settings.KeyStoreWrapper;
import org.elasticsearch.common.settings.Settings;
import org.elasticsearch.env.Environment;
import org.elasticsearch.nativeaccess.NativeAccess;
import org.elasticsearch.plugins.ClassPathPluginsService;
import org.elasticsearch.plugins.Plugin;
import org.elasticsearch.plugins.PluginsLoader;
import org.elasticsearch.plugins.PluginsService;

/**
 * Starts a real Elasticsearch node from the jars on the class path. Arguments: the home folder, then the class names of
 * the plugins. The home's {@code config} folder contains the product's {@code elasticsearch.yml} and {@code
 * log4j2.properties}, and {@code secure.properties} in place of the keystore. SIGTERM closes the node.
 *
 * <p>The class is in the product's package because the node's constructors are package-private.
 */
public final class NodeMain {
    private static final Path SYSTEM_ZSTD = Path.of("/usr/lib/x86_64-linux-gnu/libzstd.so.1");

    private NodeMain() {}

    public static void main(String[] args) throws Exception {
        Path home = Path.of(args[0]);
        linkZstd(home);
        LogConfigurator.registerErrorListener();
        BootstrapInfo.init();
        Environment environment = environment(home);
        LogConfigurator.setNodeName(Node.NODE_NAME_SETTING.get(environment.settings()));
        LogConfigurator.configure(environment, true);
        NativeAccess.instance();
        Node node = node(environment, plugins(List.of(args).subList(1, args.length)));
        CountDownLatch closed = new CountDownLatch(1);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> close(node, closed)));
        node.start();
        closed.await();
    }

    private static Environment environment(Path home) throws IOException {
        Path config = home.resolve("config");
        KeyStoreWrapper secrets = KeyStoreWrapper.create();
        Properties secure = new Properties();
        try (var in = Files.newInputStream(config.resolve("secure.properties"))) {
            secure.load(in);
        }
        secure.forEach((key, value) ->
                secrets.setString(key.toString(), value.toString().toCharArray()));
        Settings settings = Settings.builder()
                .put("path.home", home)
                .setSecureSettings(secrets)
                .build();
        return InternalSettingsPreparer.prepareEnvironment(settings, Map.of(), config, () -> "node");
    }

    private static List<Class<? extends Plugin>> plugins(List<String> names) throws ClassNotFoundException {
        List<Class<? extends Plugin>> plugins = new ArrayList<>();
        for (String name : names) {
            plugins.add(Class.forName(name).asSubclass(Plugin.class));
        }
        return plugins;
    }

    private static Node node(Environment environment, List<Class<? extends Plugin>> plugins) {
        NodeServiceProvider services = new NodeServiceProvider() {
            @Override
            PluginsService newPluginService(Environment initial, PluginsLoader loader) {
                return new ClassPathPluginsService(initial, plugins);
            }
        };
        return new Node(NodeConstruction.prepareConstruction(environment, null, services, true));
    }

    private static void close(Node node, CountDownLatch closed) {
        try {
            node.prepareForClose();
            node.close();
        } catch (IOException e) {
            System.err.println("The node did not close: " + e);
        } finally {
            closed.countDown();
        }
    }

    /** Links the system's zstd library for {@code index.codec: best_compression}: no jar contains it. */
    private static void linkZstd(Path home) throws IOException {
        Path link = home.resolve("lib/platform/linux-x64/libzstd.so");
        if (Files.exists(SYSTEM_ZSTD) && !Files.exists(link)) {
            Files.createDirectories(link.getParent());
            Files.createSymbolicLink(link, SYSTEM_ZSTD);
        }
    }
}
