package io.tidegate.connect.avro;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.connect.common.format.RegistrySettings;
import io.tidegate.connect.common.format.RegistrySettings.UsedId;
import io.tidegate.connect.common.format.SchemaId;
import io.tidegate.connect.common.format.SchemaId.Kind;
import io.tidegate.connect.common.format.ValueDecoder;
import io.tidegate.connect.common.format.ValueDecoders;
import io.tidegate.connect.common.format.ValueFormat;
import io.tidegate.connect.common.time.Clock;
import io.tidegate.connect.common.tls.TlsSettings;
import io.tidegate.connect.common.value.ByteSlice;
import io.tidegate.connect.common.value.RefusedException;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.common.config.types.Password;
import org.apache.kafka.connect.errors.RetriableException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class AvroDecoderTest {
    private static final String LONG = "{\"schema\":\"\\\"long\\\"\"}";
    private static final ByteSlice ONE = ByteSlice.of(new byte[] {2});

    private FakeRegistry registry;
    private ValueDecoder decoder;

    @BeforeEach
    void start() throws IOException {
        registry = new FakeRegistry();
        decoder = ValueDecoders.of(ValueFormat.AVRO).open(settings());
    }

    private RegistrySettings settings() {
        Password none = new Password("");
        return new RegistrySettings(
                List.of(URI.create(registry.url())),
                UsedId.CONTENT,
                "",
                none,
                none,
                TlsSettings.ofFiles("schema.registry.", "", none, "", none));
    }

    @AfterEach
    void stop() {
        registry.close();
    }

    private static SchemaId id(int number) {
        return new SchemaId(Kind.SHORT, number);
    }

    private String decoded(int id) {
        return new String(decoder.decode(id(id), ONE).orElseThrow().bytes(), UTF_8);
    }

    @Test
    void asksOnceForEachSchema() {
        registry.answering("/schemas/ids/7", 200, LONG)
                .answering("/schemas/ids/8", 200, "{\"schema\":\"\\\"boolean\\\"\"}");

        for (int i = 0; i < 3; i++) {
            decoder.prepare(Set.of(id(7)));
            assertThat(decoded(7)).isEqualTo("1");
        }
        decoder.prepare(Set.of(id(7), id(8)));
        assertThatThrownBy(() -> decoded(8)).isInstanceOf(RefusedException.class);
        assertThat(decoded(7)).isEqualTo("1");
        assertThat(registry.requests()).containsExactly("/schemas/ids/7", "/schemas/ids/8");
    }

    @Test
    void refusesARecordOfAnUnknownSchemaAndAsksAgainForTheNext() {
        decoder.prepare(Set.of(id(7)));
        assertThatThrownBy(() -> decoded(7))
                .isInstanceOf(RefusedException.class)
                .hasMessage("the value cannot be read as Avro: the schema registry has no schema 7");
        registry.answering("/schemas/ids/7", 200, LONG);
        decoder.prepare(Set.of(id(7)));

        assertThat(decoded(7)).isEqualTo("1");
    }

    @Test
    void refusesAPayloadThatDoesNotFitAndNamesTheSchema() {
        registry.answering("/schemas/ids/7", 200, "{\"schema\":\"\\\"string\\\"\"}");
        decoder.prepare(Set.of(id(7)));

        assertThatThrownBy(() -> decoded(7))
                .isInstanceOf(RefusedException.class)
                .hasMessage("the value in Avro of schema 7 has no JSON form: a length is 1, and 0 bytes are left");
    }

    @Test
    void noticesARegistryThatWasRebuilt() {
        AtomicLong now = new AtomicLong();
        decoder = new AvroDecoder(
                new RegistryClient(settings(), RegistryClient.PATIENCE), new ClockAt(now), AvroDecoder.MAX_PLANS);
        registry.answering("/schemas/ids/7", 200, LONG);
        decoder.prepare(Set.of(id(7)));
        assertThat(decoded(7)).isEqualTo("1");
        registry.answering("/schemas/ids/7", 200, "{\"schema\":\"\\\"float\\\"\"}");

        now.addAndGet(AvroDecoder.MIN_AGE.toNanos() + 1);
        decoder.prepare(Set.of(id(7)));
        byte[] half = {0, 0, 0, 63};
        assertThat(decoder.decode(id(7), ByteSlice.of(half)).orElseThrow().bytes())
                .as("a payload that does not fit makes it ask")
                .isEqualTo("0.5".getBytes(UTF_8));

        registry.answering("/schemas/ids/7", 200, LONG);
        now.addAndGet(AvroDecoder.MAX_AGE.toNanos() + 1);
        decoder.prepare(Set.of(id(7)));
        assertThat(decoded(7)).isEqualTo("1");

        registry.answering("/schemas/ids/8", 200, LONG);
        decoder.prepare(Set.of(id(8)));
        registry.answering("/schemas/ids/7", 503, "").answering("/schemas/ids/8", 503, "");
        now.addAndGet(AvroDecoder.MAX_AGE.toNanos() + 1);
        decoder.prepare(Set.of(id(7), id(8)));
        decoder.prepare(Set.of(id(7), id(8)));
        assertThat(decoded(7))
                .as("what is known counts while the registry is down")
                .isEqualTo("1");
        assertThat(decoded(8)).isEqualTo("1");
        assertThat(registry.requests()).as("and it is asked only once").hasSize(5);
    }

    private record ClockAt(AtomicLong now) implements Clock {
        @Override
        public long nanoTime() {
            return now.get();
        }

        @Override
        public long currentTimeMillis() {
            return TimeUnit.NANOSECONDS.toMillis(now.get());
        }

        @Override
        public void awaitSignal(Object monitor, long nanos) {
            throw new UnsupportedOperationException();
        }

        @Override
        public boolean await(Future<?> future, long nanos) {
            throw new UnsupportedOperationException();
        }

        @Override
        public boolean join(Collection<Future<?>> ends, Duration atMost) {
            throw new UnsupportedOperationException();
        }
    }

    @Test
    void waitsForARegistryThatIsDownAndKeepsTheSchemasItHas() {
        registry.answering("/schemas/ids/7", 200, LONG).answering("/schemas/ids/8", 503, "");
        decoder.prepare(Set.of(id(7)));

        assertThatThrownBy(() -> decoder.prepare(Set.of(id(8))))
                .isInstanceOf(RetriableException.class)
                .hasMessageContaining("schema 8")
                .hasMessageContaining("status 503");
        decoder.prepare(Set.of(id(7)));
        assertThat(decoded(7)).isEqualTo("1");
        registry.answering("/schemas/ids/8", 200, LONG);
        decoder.prepare(Set.of(id(8)));
        assertThat(decoded(8)).isEqualTo("1");
    }

    @Test
    void dropsTheSchemasThatWereNotUsedForLongestAndKeepsAllOfOnePut() {
        decoder = new AvroDecoder(new RegistryClient(settings(), RegistryClient.PATIENCE), Clock.SYSTEM, 3);
        for (int number = 1; number <= 4; number++) {
            registry.answering("/schemas/ids/" + number, 200, LONG);
        }
        decoder.prepare(Set.of(id(1), id(2), id(3), id(4)));
        for (int number = 1; number <= 4; number++) {
            assertThat(decoded(number)).isEqualTo("1");
        }
        decoder.prepare(Set.of(id(2)));
        assertThat(registry.requests()).hasSize(4);

        decoder.prepare(Set.of(id(1)));
        assertThat(registry.requests()).hasSize(5).last().isEqualTo("/schemas/ids/1");
    }
}
