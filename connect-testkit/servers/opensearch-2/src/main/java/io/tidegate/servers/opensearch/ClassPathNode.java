package io.tidegate.servers.opensearch;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.opensearch.env.Environment;
import org.opensearch.node.Node;
import org.opensearch.plugins.Plugin;
import org.opensearch.transport.Netty4Plugin;

/** An OpenSearch 2 node that loads its plugins from the class path instead of from folders. */
final class ClassPathNode extends Node {
    /** @param plugins the class names of more plugins than the one for the network */
    ClassPathNode(Environment environment, List<String> plugins) throws ClassNotFoundException {
        super(environment, classes(plugins), true);
    }

    private static Collection<Class<? extends Plugin>> classes(List<String> plugins) throws ClassNotFoundException {
        Collection<Class<? extends Plugin>> classes = new ArrayList<>(List.of(Netty4Plugin.class));
        for (String plugin : plugins) {
            classes.add(Class.forName(plugin).asSubclass(Plugin.class));
        }
        return classes;
    }
}
