package io.tidegate.servers.opensearch;

import java.util.List;
import org.opensearch.env.Environment;
import org.opensearch.node.Node;
import org.opensearch.transport.Netty4Plugin;

/** An OpenSearch 2 node that loads its network plugin from the class path instead of from a folder of modules. */
final class ClassPathNode extends Node {
    ClassPathNode(Environment environment) {
        super(environment, List.of(Netty4Plugin.class), true);
    }
}
