package io.tidegate.connect.common.tracing;

import static java.util.Objects.requireNonNull;

import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import io.opentelemetry.context.propagation.TextMapGetter;
import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.offset.Progress;
import io.tidegate.connect.common.settings.EnumSetting;
import io.tidegate.connect.common.spi.BatchWriter;
import io.tidegate.connect.common.spi.Refusal;
import io.tidegate.connect.common.spi.Traced;
import io.tidegate.connect.common.spi.WriteException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.apache.kafka.connect.header.Header;
import org.apache.kafka.connect.header.Headers;

/**
 * Makes a span of each attempt to write records of which some carry {@code traceparent}. The records come from many
 * traces, so that the span begins a trace and has links to theirs. One lane's thread, except for {@link #abort()}.
 * Sources: W3C Trace Context; OpenTelemetry's semantic conventions for database client calls and for messaging.
 */
final class TracedWriter implements BatchWriter {
    /** Most links of a span, which is the default bound of OpenTelemetry's SDK. */
    static final int MOST_LINKS = 128;

    private static final String TRACEPARENT = "traceparent";

    private final BatchWriter writer;
    private final Tracer tracer;
    private final Traced server;

    TracedWriter(BatchWriter writer, Tracer tracer, Traced server) {
        this.writer = requireNonNull(writer, "writer");
        this.tracer = requireNonNull(tracer, "tracer");
        this.server = requireNonNull(server, "server");
    }

    /**
     * Uses the worker's tracer.
     *
     * @throws LinkageError if the worker has no OpenTelemetry API
     */
    static BatchWriter ofWorker(BatchWriter writer, Traced server) {
        return new TracedWriter(writer, GlobalOpenTelemetry.getTracer("io.tidegate.connect"), server);
    }

    @Override
    public List<Refusal> write(List<Document> documents) throws WriteException {
        List<SpanContext> links = links(documents);
        if (links.isEmpty()) {
            return writer.write(documents);
        }
        Span span = begin(documents, links);
        try (Scope scope = span.makeCurrent()) { // a driver that is traced adds its own spans below this one
            List<Refusal> refusals = writer.write(documents);
            refused(span, refusals);
            return refusals;
        } catch (WriteException e) {
            refused(span, e.refusals());
            failed(span, EnumSetting.text(e.failure()), e);
            throw e;
        } catch (RuntimeException | Error e) {
            failed(span, e.getClass().getName(), e);
            throw e;
        } finally {
            span.end();
        }
    }

    /** The traces of the first records that have one. */
    private static List<SpanContext> links(List<Document> documents) {
        List<SpanContext> links = new ArrayList<>();
        for (Document document : documents) {
            Headers headers = document.record().headers();
            if (headers.isEmpty() || headers.lastWithName(TRACEPARENT) == null) {
                continue;
            }
            Context context =
                    W3CTraceContextPropagator.getInstance().extract(Context.root(), headers, RecordHeaders.INSTANCE);
            SpanContext link = Span.fromContext(context).getSpanContext();
            if (link.isValid()) {
                links.add(link);
            }
            if (links.size() == MOST_LINKS) {
                break;
            }
        }
        return links;
    }

    private Span begin(List<Document> documents, List<SpanContext> links) {
        List<String> destinations =
                documents.stream().map(Document::destination).distinct().toList();
        List<String> topics = documents.stream()
                .map(document -> document.record().originalTopic())
                .distinct()
                .toList();
        boolean isOne = destinations.size() == 1;
        SpanBuilder builder = tracer.spanBuilder(server.operation() + (isOne ? " " + destinations.get(0) : ""))
                .setSpanKind(SpanKind.CLIENT)
                .setNoParent()
                .setAttribute("db.system.name", server.system())
                .setAttribute("db.operation.name", server.operation())
                .setAttribute("messaging.system", "kafka")
                .setAttribute("messaging.batch.message_count", (long) documents.size());
        if (documents.size() > 1) { // the convention: a batch has two operations or more
            builder.setAttribute("db.operation.batch.size", (long) documents.size());
        }
        if (isOne) {
            builder.setAttribute("db.collection.name", destinations.get(0));
        }
        if (topics.size() == 1) {
            builder.setAttribute("messaging.destination.name", topics.get(0));
        }
        links.forEach(builder::addLink);
        return builder.startSpan();
    }

    private static void refused(Span span, List<Refusal> refusals) {
        if (!refusals.isEmpty()) {
            span.setAttribute("tidegate.refused.count", (long) refusals.size());
        }
    }

    /** The message of a failed write never repeats a record. */
    private static void failed(Span span, String type, Throwable e) {
        span.setAttribute("error.type", type);
        span.setStatus(StatusCode.ERROR, String.valueOf(e.getMessage()));
    }

    /** A record's headers as texts, whichever converter has read them. */
    private enum RecordHeaders implements TextMapGetter<Headers> {
        INSTANCE;

        @Override
        public Iterable<String> keys(Headers headers) {
            List<String> keys = new ArrayList<>();
            headers.forEach(header -> keys.add(header.key()));
            return keys;
        }

        @Override
        public String get(Headers headers, String key) {
            Header header = headers == null ? null : headers.lastWithName(key);
            if (header == null || header.value() == null) {
                return null;
            }
            return header.value() instanceof byte[] bytes
                    ? new String(bytes, StandardCharsets.ISO_8859_1)
                    : header.value().toString();
        }
    }

    @Override
    public void claim(Collection<Progress> partitions) throws WriteException {
        writer.claim(partitions);
    }

    @Override
    public void store(Map<Progress, Long> nextOffsets) throws WriteException {
        writer.store(nextOffsets);
    }

    @Override
    public void verify() throws WriteException {
        writer.verify();
    }

    @Override
    public void abort() {
        writer.abort();
    }

    @Override
    public void close() {
        writer.close();
    }
}
