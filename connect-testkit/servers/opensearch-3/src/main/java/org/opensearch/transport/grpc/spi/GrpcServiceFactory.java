package org.opensearch.transport.grpc.spi;

import io.grpc.BindableService;
import java.util.List;
import org.opensearch.common.settings.ClusterSettings;
import org.opensearch.common.settings.Settings;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.client.Client;

/** Makes services of other plugins. No plugin of this node has any. */
public interface GrpcServiceFactory {
    String plugin();

    GrpcServiceFactory initClient(Client client);

    GrpcServiceFactory initSettings(Settings settings);

    GrpcServiceFactory initClusterSettings(ClusterSettings settings);

    GrpcServiceFactory initThreadPool(ThreadPool threads);

    List<BindableService> build();
}
