package io.tidegate.connect.common.delivery;

import static io.tidegate.connect.common.testing.Records.documentFor;
import static io.tidegate.connect.common.testing.Records.documents;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.override.ErrorCodes;
import io.tidegate.connect.common.override.ErrorOverrides;
import io.tidegate.connect.common.spi.Failure;
import io.tidegate.connect.common.spi.Refusal;
import io.tidegate.connect.common.spi.WriteException;
import io.tidegate.connect.common.testing.Records;
import io.tidegate.connect.common.testing.TestClock;
import io.tidegate.connect.common.value.RefusedException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class LaneOverridesTest {
    private static final ErrorCodes ANY = new ErrorCodes() {
        @Override
        public String canonical(String code) {
            return code;
        }

        @Override
        public Optional<String> dangerOfRefusing(String code) {
            return Optional.empty();
        }
    };

    private final TestClock clock = new TestClock();
    private final List<Document> batch = documents(Records.progress(0), 1, 3);

    /** Overrides as an operator writes them. */
    static ErrorOverrides overrides(String setting) {
        ConfigDef def = ErrorOverrides.define(new ConfigDef(), ANY, "");
        return ErrorOverrides.from(new AbstractConfig(def, Map.of(ErrorOverrides.ERROR_OVERRIDES, setting)), ANY);
    }

    private LaneOverrides lane(String setting) {
        return new LaneOverrides(overrides(setting), clock);
    }

    private static Failure named(LaneOverrides lane, Document document, String... codes) {
        Refusal refusal =
                new Refusal(document, Failure.SKIPPED, List.of(codes), RefusedException.of("data", "no number"));
        return lane.applied(List.of(refusal)).get(0).failure();
    }

    private WriteException failed(Failure failure, List<Document> suspects) {
        return WriteException.ofAll(failure, "no", null, batch).coded(List.of("a"), suspects);
    }

    /** Only the first of them is tried again while the error stays. */
    @Test
    void theTimeOfADocumentBeginsAlsoWhileItWaitsForItsDestination() {
        LaneOverrides lane = lane("a:retry:1m:dlq");
        Document waiting = batch.get(1);
        assertThat(named(lane, batch.get(0), "a")).isEqualTo(Failure.DESTINATION);
        lane.waits(waiting);
        clock.advance(Duration.ofMinutes(1));

        assertThat(named(lane, waiting, "a")).isEqualTo(Failure.REJECTED);
        assertThat(named(lane, batch.get(2), "a")).isEqualTo(Failure.DESTINATION);
    }

    @Test
    void theTimeOfADocumentDoesNotBeginWhileItsDestinationHasAnotherError() {
        LaneOverrides lane = lane("a:retry:1m:dlq");
        Document waiting = batch.get(1);
        assertThat(named(lane, batch.get(0), "a")).isEqualTo(Failure.DESTINATION);
        WriteException locked = WriteException.ofAll(Failure.DESTINATION, "locked", null, batch)
                .as(Failure.DESTINATION, "locked", Map.of(waiting.destination(), "locked"));
        WriteException unused = lane.applied(locked);
        lane.waits(waiting);
        clock.advance(Duration.ofMinutes(1));

        assertThat(named(lane, waiting, "a")).isEqualTo(Failure.DESTINATION);
    }

    @Test
    void theFirstCodeThatIsOverriddenDecides() {
        LaneOverrides lane = lane("a:refuse, b:fail");

        assertThat(named(lane, batch.get(0), "b", "a")).isEqualTo(Failure.FATAL);
        assertThat(named(lane, batch.get(0), "c", "a")).isEqualTo(Failure.REJECTED);
        assertThat(named(lane, batch.get(0), "c")).isEqualTo(Failure.SKIPPED);
    }

    @Test
    void theTimeOfARetryBeginsWhenTheErrorFirstMeetsARecord() {
        LaneOverrides lane = lane("a:retry:10s, b:retry:10s");
        Document first = batch.get(0);
        Document second = batch.get(1);

        assertThat(named(lane, first, "a")).isEqualTo(Failure.DESTINATION);
        clock.advance(Duration.ofSeconds(9));
        assertThat(named(lane, first, "a")).isEqualTo(Failure.DESTINATION);
        assertThat(named(lane, second, "a")).isEqualTo(Failure.DESTINATION);
        clock.advance(Duration.ofSeconds(1));
        assertThat(named(lane, first, "a")).isEqualTo(Failure.SKIPPED);
        assertThat(named(lane, second, "a")).isEqualTo(Failure.DESTINATION);
        assertThat(named(lane, first, "b")).as("another error").isEqualTo(Failure.DESTINATION);
    }

    @Test
    void theTimeOfAllSuspectsBeginsTogetherAndStatementsOfOffsetsHaveTheirOwn() {
        LaneOverrides lane = lane("a:retry:10s");
        WriteException ofBatch = failed(Failure.FATAL, batch);
        WriteException ofOffsets =
                WriteException.ofOffsets(Failure.FATAL, "no", null).coded(List.of("a"), List.of());

        assertThat(lane.applied(ofBatch).failure()).isEqualTo(Failure.DESTINATION);
        clock.advance(Duration.ofSeconds(1));
        assertThat(lane.applied(ofOffsets).failure()).isEqualTo(Failure.TRANSIENT);
        clock.advance(Duration.ofSeconds(9));

        assertThat(lane.applied(ofBatch).failure()).isEqualTo(Failure.FATAL);
        assertThat(named(lane, batch.get(2), "a")).isEqualTo(Failure.SKIPPED);
        assertThat(lane.applied(ofOffsets).failure()).isEqualTo(Failure.TRANSIENT);
        clock.advance(Duration.ofSeconds(1));
        assertThat(lane.applied(ofOffsets).failure()).isEqualTo(Failure.FATAL);
        lane.forgetOffsets();
        assertThat(lane.applied(ofOffsets).failure()).isEqualTo(Failure.TRANSIENT);
    }

    @ParameterizedTest
    @CsvSource({
        // override, by the table, suspects, now
        "retry, FATAL, true, DESTINATION",
        "retry, REJECTED, true, DESTINATION",
        "retry, FATAL, false, TRANSIENT",
        "retry, TRANSIENT, true, TRANSIENT",
        "retry, BUSY, true, BUSY",
        "retry, TOO_MUCH, true, TOO_MUCH",
        "refuse, FATAL, true, REJECTED",
        "refuse, TRANSIENT, true, REJECTED",
        "refuse, FATAL, false, FATAL",
        "refuse, TRANSIENT, false, TRANSIENT",
        "fail, TRANSIENT, false, FATAL",
        "fail, REJECTED, true, FATAL",
    })
    void decidesAboutAWholeAttempt(String action, Failure byTable, boolean suspects, Failure now) {
        WriteException left = lane("a:" + action).applied(failed(byTable, suspects ? batch : List.of()));

        assertThat(left.failure()).isEqualTo(now);
        assertThat(left.unwritten()).isEqualTo(batch);
        assertThat(left.destinations().keySet()).isEqualTo(now == Failure.DESTINATION ? Set.of("tides") : Set.of());
    }

    @Test
    void aRetryHoldsUpOnlyTheDestinationsOfTheSuspects() {
        Document other = documentFor("other", Records.progress(0), 4);
        WriteException e = WriteException.ofAll(Failure.REJECTED, "no", null, List.of(batch.get(0), other))
                .coded(List.of("a"), List.of(other));

        WriteException left = lane("a:retry").applied(e);

        assertThat(left.destinations()).isEqualTo(Map.of("other", "no; error.overrides retries it"));
    }

    @ParameterizedTest
    @CsvSource({"a:ignore, SKIPPED", "a:warn, SKIPPED", "a:refuse, REJECTED", "a:retry:1m:fail, DESTINATION"})
    void aNamedDocumentIsHandledAsTheActionSays(String setting, Failure expected) {
        assertThat(named(lane(setting), batch.get(0), "a")).isEqualTo(expected);
    }

    @Test
    void afterItsTimeARecordIsHandledAsTheSecondActionSays() {
        LaneOverrides lane = lane("a:retry:1m:dlq");
        assertThat(named(lane, batch.get(0), "a")).isEqualTo(Failure.DESTINATION);
        clock.advance(Duration.ofMinutes(1));
        assertThat(named(lane, batch.get(0), "a")).isEqualTo(Failure.REJECTED);
        assertThat(named(lane, batch.get(1), "a")).isEqualTo(Failure.DESTINATION);
    }

    @Test
    void whatFollowsADocumentThatIsWrittenAgainIsWrittenAgainAfterIt() {
        Refusal first = new Refusal(batch.get(0), Failure.REJECTED, List.of("a"), RefusedException.of("data", "no"))
                .followedBy(batch.subList(1, 3));
        Refusal last = new Refusal(batch.get(2), RefusedException.of("data", "no number"));
        WriteException again = WriteException.ofNamed(batch, lane("a:retry").applied(List.of(first, last)));
        assertThat(again.unwritten()).isEqualTo(batch.subList(0, 2));
        assertThat(again.refusals()).extracting(Refusal::document).containsExactly(batch.get(2));
    }

    @Test
    void aNamedDocumentThatIsToFailTheTaskFailsTheWholeAttempt() {
        Refusal named = new Refusal(batch.get(0), Failure.REJECTED, List.of("b"), RefusedException.of("data", "odd"));
        WriteException e = WriteException.ofSome(
                Failure.REJECTED, "part", null, batch.subList(1, 3), List.of(named), Optional.empty());
        WriteException failed = lane("b:fail").applied(e).named(batch);
        assertThat(failed.failure()).isEqualTo(Failure.FATAL);
        assertThat(failed).hasMessage("odd; error.overrides fails the task");
        assertThat(failed.unwritten()).isEqualTo(batch);
    }
}
