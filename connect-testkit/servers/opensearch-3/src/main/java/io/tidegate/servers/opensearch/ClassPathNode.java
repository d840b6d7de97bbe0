package io.tidegate.servers.opensearch;

import java.util.List;
import org.opensearch.Version;
import org.opensearch.env.Environment;
import org.opensearch.node.Node;
import org.opensearch.plugins.PluginInfo;
import org.opensearch.transport.Netty4ModulePlugin;

/** An OpenSearch 3 node that loads its network plugin from the class path instead of from a folder of modules. */
final class ClassPathNode extends Node {
    private static final PluginInfo NETWORK = new PluginInfo(
            "transport-netty4",
            "from the class path",
            Version.CURRENT.toString(),
            Version.CURRENT,
            "21",
            Netty4ModulePlugin.class.getName(),
            null,
            List.of(),
            false);

    ClassPathNode(Environment environment) {
        super(environment, List.of(NETWORK), true);
    }
}
