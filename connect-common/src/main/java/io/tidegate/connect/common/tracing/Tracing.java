package io.tidegate.connect.common.tracing;

import io.tidegate.connect.common.spi.BatchWriter;
import io.tidegate.connect.common.spi.Traced;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Traces writers if the worker has the OpenTelemetry API. Stateless. */
public final class Tracing {
    private static final Logger log = LoggerFactory.getLogger(Tracing.class);

    private Tracing() {}

    /** The writer itself if nobody collects traces. */
    public static BatchWriter of(BatchWriter writer, Traced server) {
        try {
            return TracedWriter.ofWorker(writer, server);
        } catch (LinkageError e) {
            log.debug("The worker has no OpenTelemetry API, so that nothing is traced", e);
            return writer;
        } catch (RuntimeException e) {
            log.warn("OpenTelemetry cannot be used, so that nothing is traced", e);
            return writer;
        }
    }
}
