package org.opensearch.transport.grpc.spi;

import io.grpc.ServerInterceptor;
import java.util.List;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.util.concurrent.ThreadContext;

/** Provides interceptors of calls. No plugin of this node has any. */
public interface GrpcInterceptorProvider {
    List<OrderedGrpcInterceptor> getOrderedGrpcInterceptors(ThreadContext context);

    default void initNodeSettings(Settings settings) {}

    interface OrderedGrpcInterceptor {
        int order();

        ServerInterceptor getInterceptor();
    }
}
