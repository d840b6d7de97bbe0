package io.tidegate.connect.tools.records;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.cli.ToolException;
import io.tidegate.connect.tools.cluster.Worker;
import io.tidegate.connect.tools.connector.ConfiguredSink;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.net.http.HttpTimeoutException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.connect.data.SchemaAndValue;
import org.apache.kafka.connect.header.ConnectHeaders;
import org.apache.kafka.connect.header.Headers;
import org.apache.kafka.connect.runtime.ConnectMetrics;
import org.apache.kafka.connect.runtime.ConnectorConfig;
import org.apache.kafka.connect.runtime.SinkConnectorConfig;
import org.apache.kafka.connect.runtime.TransformationChain;
import org.apache.kafka.connect.runtime.WorkerConfig;
import org.apache.kafka.connect.runtime.errors.ErrorHandlingMetrics;
import org.apache.kafka.connect.runtime.errors.ProcessingContext;
import org.apache.kafka.connect.runtime.errors.RetryWithToleranceOperator;
import org.apache.kafka.connect.runtime.errors.Stage;
import org.apache.kafka.connect.runtime.errors.ToleranceType;
import org.apache.kafka.connect.runtime.isolation.LoaderSwap;
import org.apache.kafka.connect.runtime.isolation.PluginClassLoader;
import org.apache.kafka.connect.runtime.isolation.PluginDesc;
import org.apache.kafka.connect.runtime.isolation.Plugins;
import org.apache.kafka.connect.sink.SinkRecord;
import org.apache.kafka.connect.storage.Converter;
import org.apache.kafka.connect.storage.HeaderConverter;
import org.apache.kafka.connect.util.ConnectUtils;
import org.apache.kafka.connect.util.ConnectorTaskId;

/**
 * Turns a record of a topic into the record that the sink's task gets, with the converters and transforms that a worker
 * would use and in its order. A failed record is not tried again. Somebody else's outage is no fault of a record. One thread
 * uses it.
 */
public final class Conversion implements AutoCloseable {
    /** What a client throws when its server does not answer, such as that of a schema registry. */
    private static final List<Class<? extends Exception>> OUTAGES = List.of(
            SocketException.class,
            SocketTimeoutException.class,
            UnknownHostException.class,
            SSLException.class,
            HttpTimeoutException.class,
            org.apache.kafka.common.errors.RetriableException.class,
            org.apache.kafka.connect.errors.RetriableException.class);

    private final Plugins plugins;
    private final ClassLoader loader;
    private final Converter keys;
    private final Converter values;
    private final HeaderConverter headers;
    private final ConnectMetrics metrics;
    private final RetryWithToleranceOperator<ConsumerRecord<byte[], byte[]>> steps;
    private final TransformationChain<ConsumerRecord<byte[], byte[]>, SinkRecord> transforms;

    private Conversion(Worker worker, ConnectorConfig connector, ClassLoader loader) throws ToolException {
        this.plugins = worker.plugins();
        this.loader = requireNonNull(loader, "loader");
        this.keys = converter(
                worker, connector, WorkerConfig.KEY_CONVERTER_CLASS_CONFIG, WorkerConfig.KEY_CONVERTER_VERSION);
        this.values = converter(
                worker, connector, WorkerConfig.VALUE_CONVERTER_CLASS_CONFIG, WorkerConfig.VALUE_CONVERTER_VERSION);
        this.headers = headerConverter(worker, connector);
        this.metrics = new ConnectMetrics("tidegate", worker.config(), Time.SYSTEM, "tidegate");
        ConnectorTaskId id = new ConnectorTaskId(connector.getString(ConnectorConfig.NAME_CONFIG), 0);
        this.steps = new RetryWithToleranceOperator<>(
                0, 0, ToleranceType.ALL, Time.SYSTEM, new ErrorHandlingMetrics(id, metrics));
        this.transforms =
                new TransformationChain<>(connector.<SinkRecord>transformationStages(plugins, id, metrics), steps);
    }

    /**
     * Loads and configures the converters and transforms.
     *
     * @throws ToolException if a worker could not
     */
    public static Conversion open(Worker worker, ConfiguredSink sink) throws ToolException {
        Plugins plugins = worker.plugins();
        ClassLoader loader = loader(plugins, sink);
        try (LoaderSwap swap = plugins.withClassLoader(loader)) {
            SinkConnectorConfig.validate(sink.props());
            return new Conversion(worker, new SinkConnectorConfig(plugins, sink.props()), loader);
        } catch (KafkaException e) {
            throw new ToolException("Connect would not take connector " + sink.name() + ": " + message(e), e);
        }
    }

    private static String message(Throwable e) {
        return e.getCause() == null || e.getCause().getMessage() == null
                ? e.getMessage()
                : e.getCause().getMessage();
    }

    /** That of the connector if it is in the worker's plugin.path, where its folder may have converters, too. */
    private static ClassLoader loader(Plugins plugins, ConfiguredSink sink) {
        String name = sink.connector().getClass().getName();
        return plugins.sinkConnectors().stream()
                .filter(each -> each.className().equals(name) && each.loader() instanceof PluginClassLoader)
                .map(PluginDesc::loader)
                .findFirst()
                .orElse(plugins.delegatingLoader());
    }

    private Converter converter(Worker worker, ConnectorConfig connector, String key, String versionKey)
            throws ToolException {
        Converter own = plugins.newConverter(connector, key, versionKey);
        if (own != null) {
            return own;
        }
        if (!worker.has(key)) {
            throw new ToolException("the connector has no " + key + ", and the worker's default is not known: use "
                    + "--worker FILE, or add " + key + " to the connector");
        }
        return plugins.newConverter(worker.config(), key, versionKey);
    }

    private HeaderConverter headerConverter(Worker worker, ConnectorConfig connector) {
        HeaderConverter own = plugins.newHeaderConverter(
                connector, WorkerConfig.HEADER_CONVERTER_CLASS_CONFIG, WorkerConfig.HEADER_CONVERTER_VERSION);
        return own != null
                ? own
                : plugins.newHeaderConverter(
                        worker.config(),
                        WorkerConfig.HEADER_CONVERTER_CLASS_CONFIG,
                        WorkerConfig.HEADER_CONVERTER_VERSION);
    }

    /**
     * Converts a record.
     *
     * @throws ToolException never because of the record: if something does not answer that a converter or transform needs
     */
    public Converted convert(ConsumerRecord<byte[], byte[]> raw) throws ToolException {
        ProcessingContext<ConsumerRecord<byte[], byte[]>> context = new ProcessingContext<>(raw);
        try (LoaderSwap swap = plugins.withClassLoader(loader)) {
            SinkRecord converted = convert(raw, context);
            if (context.failed()) {
                return failed(context, context.error(), true);
            }
            return converted == null ? new Converted.Dropped(raw) : new Converted.Delivered(raw, converted);
        } catch (RuntimeException e) {
            return failed(context, e.getCause() == null ? e : e.getCause(), false);
        }
    }

    /** In the order of Connect's task, but only to the first failure: the context then still names its stage. */
    private SinkRecord convert(
            ConsumerRecord<byte[], byte[]> raw, ProcessingContext<ConsumerRecord<byte[], byte[]>> context) {
        SchemaAndValue key = steps.execute(
                context,
                () -> keys.toConnectData(raw.topic(), raw.headers(), raw.key()),
                Stage.KEY_CONVERTER,
                keys.getClass());
        if (context.failed()) {
            return null;
        }
        SchemaAndValue value = steps.execute(
                context,
                () -> values.toConnectData(raw.topic(), raw.headers(), raw.value()),
                Stage.VALUE_CONVERTER,
                values.getClass());
        if (context.failed()) {
            return null;
        }
        Headers header = steps.execute(context, () -> headers(raw), Stage.HEADER_CONVERTER, headers.getClass());
        return context.failed() ? null : transforms.apply(context, record(raw, key, value, header));
    }

    private static SinkRecord record(
            ConsumerRecord<byte[], byte[]> raw, SchemaAndValue key, SchemaAndValue value, Headers header) {
        return new SinkRecord(
                raw.topic(),
                raw.partition(),
                key.schema(),
                key.value(),
                value.schema(),
                value.value(),
                raw.offset(),
                ConnectUtils.checkAndConvertTimestamp(raw.timestamp()),
                raw.timestampType(),
                header);
    }

    private Headers headers(ConsumerRecord<byte[], byte[]> raw) {
        Headers converted = new ConnectHeaders();
        for (Header each : raw.headers()) {
            converted.add(each.key(), headers.toConnectHeader(raw.topic(), each.key(), each.value()));
        }
        return converted;
    }

    private static Converted failed(
            ProcessingContext<ConsumerRecord<byte[], byte[]>> context, Throwable error, boolean isTolerable)
            throws ToolException {
        Optional<Throwable> outage = Stream.iterate(error, Objects::nonNull, Throwable::getCause)
                .filter(cause -> OUTAGES.stream().anyMatch(type -> type.isInstance(cause)))
                .findFirst();
        if (outage.isPresent()) {
            throw new ToolException(
                    "what " + context.executingClass().getName() + " needs to read records is unavailable: "
                            + outage.get(),
                    error);
        }
        return new Converted.Failed(context.original(), context.stage(), context.executingClass(), error, isTolerable);
    }

    @Override
    public void close() {
        transforms.close();
        steps.close();
        metrics.stop();
        for (AutoCloseable each : List.<AutoCloseable>of(keys, values, headers)) {
            try {
                each.close();
            } catch (Exception e) {
                // Nothing of the result depends on it.
            }
        }
    }
}
