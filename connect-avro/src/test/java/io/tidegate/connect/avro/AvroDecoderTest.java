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
import java.util.LinkedHashSet;
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
    private static final String FLOAT = "{\"schema\":\"\\\"float\\\"\"}";
    private static final ByteSlice ONE = ByteSlice.of(new byte[] {2});
    private static final ByteSlice HALF = ByteSlice.of(new byte[] {0, 0, 0, 63});

    private final AtomicLong now = new AtomicLong();
    private FakeRegistry registry;
    private ValueDecoder decoder;

    @BeforeEach
    void start() throws IOException {
        registry = new FakeRegistry();
        decoder = decoder(AvroDecoder.MAX_PLANS);
    }

    private ValueDecoder decoder(int maxPlans) {
        return new AvroDecoder(new RegistryClient(settings(), RegistryClient.PATIENCE), new ClockAt(now), maxPlans);
    }

    private void pass(Duration time) {
        now.addAndGet(time.toNanos() + 1);
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
        decoder.close();
        registry.close();
    }

    private static SchemaId id(int number) {
        return new SchemaId(Kind.SHORT, number);
    }

    private String decoded(int id) {
        return decoded(id, ONE);
    }

    private String decoded(int id, ByteSlice payload) {
        return new String(decoder.decode(id(id), payload).orElseThrow().bytes(), UTF_8);
    }

    private FakeRegistry having(int id, String schema) {
        return registry.answering("/schemas/ids/" + id, 200, schema);
    }

    private void fail(int id) {
        registry.answering("/schemas/ids/" + id, 503, "");
    }

    private void assertWaiting(String reason, SchemaId... ids) {
        assertThatThrownBy(() -> decoder.prepare(Set.of(ids)))
                .isInstanceOf(RetriableException.class)
                .hasMessageContaining(reason);
    }

    @Test
    void isTheServiceOfItsFormat() {
        having(7, LONG);
        int open = RegistryClient.CLIENTS.openCount();
        decoder = ValueDecoders.of(ValueFormat.AVRO).open(settings());
        decoder.prepare(Set.of(id(7)));

        assertThat(decoded(7)).isEqualTo("1");
        decoder.close();
        assertThat(RegistryClient.CLIENTS.openCount()).isEqualTo(open);
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

    /** It may be so new that a node of the registry does not have it yet. */
    @Test
    void waitsForAnUnknownSchemaThenRefusesItsRecordsAndAsksAgainForTheNext() {
        assertWaiting("has no schema 7. Its records are refused if it has none for 10 s", id(7));
        pass(Duration.ofSeconds(9));
        assertWaiting("has no schema 7", id(7));
        pass(Duration.ofSeconds(1));
        for (int i = 0; i < 2; i++) {
            decoder.prepare(Set.of(id(7)));
            assertThatThrownBy(() -> decoded(7))
                    .isInstanceOf(RefusedException.class)
                    .hasMessage("the value cannot be read as Avro: the schema registry has no schema 7");
        }
        having(7, LONG);
        decoder.prepare(Set.of(id(7)));

        assertThat(decoded(7)).isEqualTo("1");
    }

    @Test
    void readsASchemaThatCameLate() {
        assertWaiting("has no schema 7", id(7));
        having(7, LONG);
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
        having(7, LONG);
        decoder.prepare(Set.of(id(7)));
        assertThat(decoded(7)).isEqualTo("1");
        having(7, FLOAT);

        pass(AvroDecoder.MIN_AGE);
        decoder.prepare(Set.of(id(7)));
        assertThat(decoded(7, HALF))
                .as("a payload that does not fit makes it ask")
                .isEqualTo("0.5");

        having(7, LONG);
        pass(AvroDecoder.MAX_AGE);
        decoder.prepare(Set.of(id(7)));
        assertThat(decoded(7)).isEqualTo("1");

        having(8, LONG);
        decoder.prepare(Set.of(id(8)));
        fail(7);
        fail(8);
        pass(AvroDecoder.MAX_AGE);
        decoder.prepare(Set.of(id(7), id(8)));
        decoder.prepare(Set.of(id(7), id(8)));
        assertThat(decoded(7))
                .as("what is known counts while the registry is down")
                .isEqualTo("1");
        assertThat(decoded(8)).isEqualTo("1");
        assertThat(registry.requests()).as("and it is asked only once").hasSize(5);
    }

    /** An earlier question that failed says nothing about what the registry has now. */
    @Test
    void asksBeforeItRefusesEvenIfTheRegistryWasDownAMomentAgo() {
        having(7, LONG);
        decoder.prepare(Set.of(id(7)));
        fail(7);
        pass(AvroDecoder.MAX_AGE);
        decoder.prepare(Set.of(id(7)));
        having(7, FLOAT);
        pass(Duration.ofSeconds(15));

        assertThat(decoded(7, HALF)).isEqualTo("0.5");
    }

    @Test
    void waitsForTheRegistryAfterAPayloadDidNotFitAndItGaveNoAnswer() {
        having(7, LONG);
        having(8, LONG);
        decoder.prepare(Set.of(id(7), id(8)));
        pass(AvroDecoder.MIN_AGE);
        fail(7);
        fail(8);
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> decoded(7, HALF))
                    .isInstanceOf(RefusedException.class)
                    .hasMessageEndingWith("; the registry does not say whether it has another schema now");
        }
        assertThat(registry.requests()).as("it is asked once").hasSize(3);
        assertWaiting("does not give schema 7: ", id(7), id(8));
        decoder.prepare(Set.of(id(8)));
        assertThat(decoded(8)).as("others go on").isEqualTo("1");

        having(7, FLOAT);
        decoder.prepare(Set.of(id(7)));
        assertThat(decoded(7, HALF)).isEqualTo("0.5");
    }

    @Test
    void waitsForTheSchemasOfAllRecordsIfTheRegistryWasRebuilt() {
        having(7, LONG);
        having(8, LONG);
        decoder.prepare(Set.of(id(7), id(8)));
        pass(AvroDecoder.MIN_AGE);
        fail(7);
        assertThatThrownBy(() -> decoded(7, HALF)).isInstanceOf(RefusedException.class);

        having(7, FLOAT);
        fail(8);
        Set<SchemaId> doubtfulLast = new LinkedHashSet<>(List.of(id(8), id(7)));
        assertThatThrownBy(() -> decoder.prepare(doubtfulLast))
                .isInstanceOf(RetriableException.class)
                .hasMessageContaining("does not give schema 8: ");

        having(8, FLOAT);
        decoder.prepare(doubtfulLast);
        assertThat(decoded(8, HALF)).isEqualTo("0.5");
    }

    @Test
    void believesNoOtherSchemaOfARegistryThatWasRebuiltBeforeItIsConfirmed() {
        for (int number = 1; number <= 3; number++) {
            having(number, LONG);
            decoder.prepare(Set.of(id(number)));
            pass(AvroDecoder.MIN_AGE);
        }
        for (int number = 1; number <= 3; number++) {
            having(number, FLOAT);
        }
        pass(AvroDecoder.MAX_AGE.minus(AvroDecoder.MIN_AGE.multipliedBy(2)));
        ByteSlice fits = ByteSlice.of(new byte[] {(byte) 0x80, (byte) 0x80, (byte) 0x80, 0}); // a long as well
        decoder.prepare(Set.of(id(1), id(2)));
        assertThat(decoded(1, HALF)).isEqualTo("0.5");
        assertThat(decoded(2, fits)).isEqualTo(decoded(1, fits));
        decoder.prepare(Set.of(id(3), id(2), id(1)));
        assertThat(decoded(3, fits)).isEqualTo(decoded(1, fits));
        assertThat(registry.requests()).as("each once more").hasSize(6);
    }

    @Test
    void asksForOneOldSchemaInAPut() {
        for (int number = 1; number <= 3; number++) {
            having(number, LONG);
            decoder.prepare(Set.of(id(number)));
            pass(Duration.ofNanos(1));
        }
        pass(AvroDecoder.MAX_AGE);

        decoder.prepare(Set.of(id(2), id(3)));
        assertThat(registry.requests()).hasSize(4).last().isEqualTo("/schemas/ids/2");
        decoder.prepare(Set.of(id(1), id(2), id(3)));
        assertThat(registry.requests()).hasSize(5).last().isEqualTo("/schemas/ids/1");
    }

    @Test
    void stopsAskingInTimeAndGoesOnWithTheSameRecords() {
        registry.doing(() -> pass(Duration.ofSeconds(11)));
        SchemaId[] ids = new SchemaId[8];
        for (int i = 0; i < ids.length; i++) {
            ids[i] = id(i + 1);
            if (i < 6) { // and the registry does not have the others
                having(i + 1, LONG);
            }
        }
        int puts = 1;
        for (boolean isPrepared = false; !isPrepared; puts++) {
            try {
                decoder.prepare(Set.of(ids));
                isPrepared = true;
            } catch (RetriableException e) {
                assertThat(registry.requests()).hasSizeLessThanOrEqualTo(3 * puts);
                assertThat(puts).isLessThan(10);
            }
        }
        assertThat(decoded(1)).isEqualTo("1");
        assertThat(decoded(6)).isEqualTo("1");
        assertThatThrownBy(() -> decoded(8)).hasMessageContaining("has no schema 8");
    }

    @Test
    void usesAKnownSchemaThatTheRegistryNoLongerHas() {
        having(7, LONG);
        decoder.prepare(Set.of(id(7)));
        registry.answering("/schemas/ids/7", 404, "{\"error_code\":40403}");
        pass(AvroDecoder.MAX_AGE);
        decoder.prepare(Set.of(id(7)));

        assertThat(decoded(7)).isEqualTo("1");
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
        decoder = decoder(3);
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
