package io.tidegate.servers.opensearch;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.opensearch.bootstrap.BootstrapInfo;
import org.opensearch.common.logging.LogConfigurator;
import org.opensearch.common.settings.Settings;
import org.opensearch.env.Environment;
import org.opensearch.node.InternalSettingsPreparer;
import org.opensearch.node.Node;

/**
 * Starts a real OpenSearch node from the jars on the class path. Arguments: the home folder, whose {@code config}
 * folder contains the product's {@code opensearch.yml} and {@code log4j2.properties}, and the classes of further plugins.
 * SIGTERM closes the node.
 */
public final class NodeMain {
    private NodeMain() {}

    public static void main(String[] args) throws Exception {
        Path home = Path.of(args[0]);
        LogConfigurator.registerErrorListener();
        BootstrapInfo.init();
        Settings settings = Settings.builder().put("path.home", home).build();
        Environment environment =
                InternalSettingsPreparer.prepareEnvironment(settings, Map.of(), home.resolve("config"), () -> "node");
        LogConfigurator.setNodeName(Node.NODE_NAME_SETTING.get(environment.settings()));
        LogConfigurator.configure(environment);
        Node node = new ClassPathNode(environment, List.of(args).subList(1, args.length));
        CountDownLatch closed = new CountDownLatch(1);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> close(node, closed)));
        node.start();
        closed.await();
    }

    private static void close(Node node, CountDownLatch closed) {
        try {
            node.close();
        } catch (IOException e) {
            System.err.println("The node did not close: " + e);
        } finally {
            closed.countDown();
        }
    }
}
