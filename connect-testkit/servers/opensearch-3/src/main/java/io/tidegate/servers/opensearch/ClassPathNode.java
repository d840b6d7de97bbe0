package io.tidegate.servers.opensearch;

import java.util.List;
import java.util.stream.Stream;
import org.opensearch.Version;
import org.opensearch.env.Environment;
import org.opensearch.node.Node;
import org.opensearch.plugins.PluginInfo;
import org.opensearch.transport.Netty4ModulePlugin;

/** An OpenSearch 3 node that loads its plugins from the class path instead of from folders. */
final class ClassPathNode extends Node {
    /** @param plugins the class names of more plugins than the one for the network */
    ClassPathNode(Environment environment, List<String> plugins) {
        super(
                environment,
                Stream.concat(Stream.of(Netty4ModulePlugin.class.getName()), plugins.stream())
                        .map(ClassPathNode::plugin)
                        .toList(),
                true);
    }

    private static PluginInfo plugin(String className) {
        return new PluginInfo(
                className,
                "from the class path",
                Version.CURRENT.toString(),
                Version.CURRENT,
                "21",
                className,
                null,
                List.of(),
                false);
    }
}
