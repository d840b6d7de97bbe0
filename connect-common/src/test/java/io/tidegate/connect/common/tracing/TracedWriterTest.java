package io.tidegate.connect.common.tracing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.LinkData;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.spi.BatchWriter;
import io.tidegate.connect.common.spi.Failure;
import io.tidegate.connect.common.spi.Refusal;
import io.tidegate.connect.common.spi.Traced;
import io.tidegate.connect.common.spi.WriteException;
import io.tidegate.connect.common.testing.Records;
import io.tidegate.connect.common.value.RefusedException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.connect.data.SchemaAndValue;
import org.apache.kafka.connect.storage.SimpleHeaderConverter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class TracedWriterTest {
    private final InMemorySpanExporter exporter = InMemorySpanExporter.create();
    private final SdkTracerProvider provider = SdkTracerProvider.builder()
            .addSpanProcessor(SimpleSpanProcessor.create(exporter))
            .build();

    @AfterEach
    void close() {
        provider.close();
    }

    private interface Write {
        List<Refusal> write(List<Document> documents) throws WriteException;
    }

    private BatchWriter traced(Write write) {
        BatchWriter writer = new BatchWriter() {
            @Override
            public List<Refusal> write(List<Document> documents) throws WriteException {
                return write.write(documents);
            }

            @Override
            public void abort() {}

            @Override
            public void close() {}
        };
        return new TracedWriter(writer, provider.get("test"), new Traced("postgresql", "BATCH"));
    }

    private static Document document(int offset, String destination, Object traceparent) {
        Document document = Records.documentFor(destination, Records.progress(0), offset);
        if (traceparent != null) {
            document.record().headers().add("traceparent", traceparent, null);
        }
        return document;
    }

    private static String traceparent(int number) {
        return String.format("00-%032x-%016x-01", number + 1, number + 1);
    }

    private SpanData span() {
        assertThat(exporter.getFinishedSpanItems()).hasSize(1);
        return exporter.getFinishedSpanItems().get(0);
    }

    @Test
    void theWriteOfABatchIsASpanWithLinksToTheTracesOfItsRecords() throws WriteException {
        List<Document> documents = List.of(
                document(0, "tides", traceparent(0)),
                document(1, "tides", null),
                document(2, "tides", traceparent(2).getBytes(StandardCharsets.US_ASCII)),
                document(3, "tides", "not a trace"));
        Span outside = provider.get("test").spanBuilder("task").startSpan();
        String[] current = new String[1];

        try (AutoCloseable scope = outside.makeCurrent()) {
            assertThat(scope).isNotNull();
            traced(each -> {
                        current[0] = Span.current().getSpanContext().getSpanId();
                        return List.of();
                    })
                    .write(documents);
        } catch (Exception e) {
            throw new AssertionError(e);
        }

        SpanData span = span();
        assertThat(span.getName()).isEqualTo("BATCH tides");
        assertThat(span.getKind()).isEqualTo(SpanKind.CLIENT);
        assertThat(span.getParentSpanContext().isValid()).isFalse();
        assertThat(span.getSpanId()).isEqualTo(current[0]);
        assertThat(span.getLinks())
                .map(link -> link.getSpanContext().getTraceId())
                .containsExactly(String.format("%032x", 1), String.format("%032x", 3));
        assertThat(span.getStatus().getStatusCode()).isEqualTo(StatusCode.UNSET);
        assertThat(span.getAttributes().asMap())
                .containsEntry(AttributeKey.stringKey("db.system.name"), "postgresql")
                .containsEntry(AttributeKey.stringKey("db.operation.name"), "BATCH")
                .containsEntry(AttributeKey.stringKey("db.collection.name"), "tides")
                .containsEntry(AttributeKey.longKey("db.operation.batch.size"), 4L)
                .containsEntry(AttributeKey.longKey("messaging.batch.message_count"), 4L)
                .containsEntry(AttributeKey.stringKey("messaging.system"), "kafka")
                .containsKey(AttributeKey.stringKey("messaging.destination.name"));
    }

    /** It guesses the type of a header from its text. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
                "00-11111111111111111111111111111111-2222222222222222-00"
            })
    void connectsOwnHeaderConverterKeepsTheHeader(String traceparent) throws WriteException {
        SchemaAndValue read = new SimpleHeaderConverter()
                .toConnectHeader("tides", "traceparent", traceparent.getBytes(StandardCharsets.US_ASCII));

        traced(each -> List.of()).write(List.of(document(0, "tides", read.value())));

        assertThat(span().getLinks())
                .map(link -> link.getSpanContext().getSpanId())
                .containsExactly(traceparent.substring(36, 52));
    }

    @Test
    void recordsWithoutATraceMakeNoSpan() throws WriteException {
        traced(each -> List.of()).write(List.of(document(0, "tides", null), document(1, "tides", "00-nonsense")));

        assertThat(exporter.getFinishedSpanItems()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {128, 129, 1_000})
    void aSpanHasABoundedNumberOfLinks(int records) throws WriteException {
        traced(each -> List.of())
                .write(IntStream.range(0, records)
                        .mapToObj(i -> document(i, "tides", traceparent(i)))
                        .toList());

        assertThat(span().getLinks()).hasSize(TracedWriter.MOST_LINKS);
        assertThat(span().getTotalRecordedLinks()).isEqualTo(TracedWriter.MOST_LINKS);
        assertThat(span().getAttributes().get(AttributeKey.longKey("messaging.batch.message_count")))
                .isEqualTo(records);
    }

    @Test
    void aBatchForSeveralDestinationsNamesNone() throws WriteException {
        traced(each -> List.of())
                .write(List.of(document(0, "tides", traceparent(0)), document(1, "waves", traceparent(1))));

        assertThat(span().getName()).isEqualTo("BATCH");
        assertThat(span().getAttributes().get(AttributeKey.stringKey("db.collection.name")))
                .isNull();
    }

    @Test
    void aFailedAttemptSaysWhatKindOfFailureItWas() {
        List<Document> documents = List.of(document(0, "tides", traceparent(0)));
        BatchWriter writer = traced(each -> {
            throw WriteException.ofAll(Failure.TRANSIENT, "the server is gone, SQLSTATE 57P01", null, each);
        });

        assertThatThrownBy(() -> writer.write(documents)).isInstanceOf(WriteException.class);

        assertThat(span().getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
        assertThat(span().getStatus().getDescription()).isEqualTo("the server is gone, SQLSTATE 57P01");
        assertThat(span().getAttributes().get(AttributeKey.stringKey("error.type")))
                .isEqualTo("transient");
    }

    @Test
    void refusedRecordsAreCounted() throws WriteException {
        List<Document> documents =
                Stream.of(0, 1).map(i -> document(i, "tides", traceparent(i))).toList();

        traced(each -> List.of(new Refusal(each.get(0), RefusedException.of("data", "no"))))
                .write(documents);

        assertThat(span().getAttributes().get(AttributeKey.longKey("tidegate.refused.count")))
                .isEqualTo(1L);
        assertThat(span().getLinks()).map(LinkData::getTotalAttributeCount).containsOnly(0);
    }
}
