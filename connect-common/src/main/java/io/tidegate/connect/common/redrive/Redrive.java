package io.tidegate.connect.common.redrive;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.document.DocumentMapper;
import io.tidegate.connect.common.settings.RedriveSettings;
import io.tidegate.connect.common.time.Milestones;
import io.tidegate.connect.common.value.RefusedException;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.kafka.connect.data.Values;
import org.apache.kafka.connect.header.ConnectHeaders;
import org.apache.kafka.connect.header.Header;
import org.apache.kafka.connect.header.Headers;
import org.apache.kafka.connect.sink.SinkRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the record that a dead letter is about: with its own topic, partition, offset and headers. A letter that was
 * refused too often stays where it is. Task thread only.
 */
public final class Redrive implements DocumentMapper.Redriving {
    private static final Logger log = LoggerFactory.getLogger(Redrive.class);

    private final int attempts;
    private final boolean guardsDeletions;
    private long left; // letters that were redriven too often

    private Redrive(int attempts, boolean guardsDeletions) {
        this.attempts = attempts;
        this.guardsDeletions = guardsDeletions;
    }

    /**
     * The redrive that the settings ask for.
     *
     * @param guardsDeletions whether the server keeps an older deletion from deleting what is newer
     */
    public static Optional<DocumentMapper.Redriving> of(RedriveSettings settings, boolean guardsDeletions) {
        requireNonNull(settings, "settings");
        return settings.isOn() ? Optional.of(new Redrive(settings.attempts(), guardsDeletions)) : Optional.empty();
    }

    @Override
    public boolean guardsDeletions() {
        return guardsDeletions;
    }

    @Override
    public Optional<SinkRecord> recordOf(SinkRecord letter) {
        Headers own = new ConnectHeaders();
        Optional<String> topic = Optional.empty();
        OptionalLong partition = OptionalLong.empty();
        OptionalLong offset = OptionalLong.empty();
        int refusals = 0;
        for (Header header : letter.headers()) {
            switch (header.key()) {
                case LetterHeaders.TOPIC -> {
                    refusals++;
                    topic = topic.isPresent() ? topic : Optional.of(text(header));
                }
                case LetterHeaders.PARTITION -> partition = partition.isPresent() ? partition : number(header);
                case LetterHeaders.OFFSET -> offset = offset.isPresent() ? offset : number(header);
                default -> {
                    if (!header.key().startsWith(LetterHeaders.PREFIX)) {
                        own.add(header);
                    }
                }
            }
        }
        if (topic.isEmpty() || partition.isEmpty() || offset.isEmpty()) {
            throw new RefusedException("the record does not say where it comes from: it needs the headers "
                    + LetterHeaders.TOPIC + ", " + LetterHeaders.PARTITION + " and " + LetterHeaders.OFFSET
                    + ", which errors.deadletterqueue.context.headers.enable=true adds where a record is refused; see "
                    + RedriveSettings.REDRIVE);
        }
        if (refusals > attempts) {
            leave(letter, refusals);
            return Optional.empty();
        }
        return Optional.of(original(letter, topic.get(), (int) partition.getAsLong(), offset.getAsLong(), own));
    }

    /** Where a transform has renamed the topic or moved the record, what it says counts. */
    private static SinkRecord original(SinkRecord letter, String topic, int partition, long offset, Headers headers) {
        boolean isRenamed = !letter.topic().equals(letter.originalTopic());
        boolean isMoved = !letter.kafkaPartition().equals(letter.originalKafkaPartition());
        return new SinkRecord(
                isRenamed ? letter.topic() : topic,
                isMoved ? letter.kafkaPartition() : partition,
                letter.keySchema(),
                letter.key(),
                letter.valueSchema(),
                letter.value(),
                offset,
                letter.timestamp(),
                letter.timestampType(),
                headers,
                topic,
                partition,
                offset);
    }

    private void leave(SinkRecord letter, int refusals) {
        left++;
        if (Milestones.isPassed(left - 1, left)) {
            log.warn(
                    "{} dead letters left where they are so far: they were refused more often than {}={} allows. The"
                            + " last one is {}-{}@{}, refused {} times",
                    left,
                    RedriveSettings.REDRIVE_ATTEMPTS,
                    attempts,
                    letter.originalTopic(),
                    letter.originalKafkaPartition(),
                    letter.originalKafkaOffset(),
                    refusals);
        }
    }

    /** The header's text, whatever the header converter took it for. */
    private static String text(Header header) {
        return header.value() instanceof byte[] bytes
                ? new String(bytes, UTF_8)
                : String.valueOf(Values.convertToString(header.schema(), header.value()));
    }

    private static OptionalLong number(Header header) {
        try {
            return OptionalLong.of(Long.parseLong(text(header)));
        } catch (NumberFormatException e) {
            return OptionalLong.empty();
        }
    }
}
