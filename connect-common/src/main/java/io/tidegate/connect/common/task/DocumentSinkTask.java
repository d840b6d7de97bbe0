package io.tidegate.connect.common.task;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.delivery.ProduceFailures;
import io.tidegate.connect.common.metrics.Metric;
import io.tidegate.connect.common.metrics.PublishedMetrics;
import io.tidegate.connect.common.settings.EnumSetting;
import io.tidegate.connect.common.settings.LaneSettings;
import io.tidegate.connect.common.settings.RedriveSettings;
import io.tidegate.connect.common.settings.RetrySettings;
import io.tidegate.connect.common.settings.TaskSettings;
import io.tidegate.connect.common.spi.Target;
import io.tidegate.connect.common.spi.TargetType;
import io.tidegate.connect.common.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.utils.Utils;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.errors.RetriableException;
import org.apache.kafka.connect.sink.SinkRecord;
import org.apache.kafka.connect.sink.SinkTask;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Connect's callbacks, and nothing else: a {@link SinkPipeline} does the work while the task is started. */
public abstract class DocumentSinkTask extends SinkTask {
    private static final Logger log = LoggerFactory.getLogger(DocumentSinkTask.class);

    /**
     * How often in a row a task starts over while nothing is written and access is refused again soon. A config provider
     * may return a new secret at every read.
     */
    static final int MAX_FRUITLESS_STARTS = 3;

    /** Settings with which access is not refused for so long have helped, also a task that has nothing to write. */
    static final Duration HELPED_AFTER = Duration.ofMinutes(30);

    /** How long a task that waits for access does not ask again whether its settings have changed. */
    static final Duration ASKS_EVERY = Duration.ofSeconds(30);

    /** How soon a task tries again to publish its metrics. */
    static final Duration PUBLISHES_EVERY = Duration.ofMinutes(1);

    private final TargetType type;
    private final Clock clock;
    private Optional<SinkPipeline> started = Optional.empty(); // task thread only
    private Optional<PublishedMetrics> published = Optional.empty(); // task thread only
    private long publishedAt; // nanoTime; task thread only
    private Map<String, String> given = Map.of(); // the configuration that is running; task thread only
    private int fruitlessStarts; // task thread only
    private long lastRefused; // nanoTime; task thread only
    private Optional<Long> asked = Optional.empty(); // nanoTime; task thread only

    protected DocumentSinkTask(TargetType type) {
        this(type, Clock.SYSTEM);
    }

    DocumentSinkTask(TargetType type, Clock clock) {
        this.type = requireNonNull(type, "type");
        this.clock = requireNonNull(clock, "clock");
    }

    @Override
    public String version() {
        return type.version();
    }

    /** Does not contact the server, so a task can start while the server is down. */
    @Override
    public void start(Map<String, String> configuration) {
        given = configuration;
        Map<String, String> props = type.aliases().resolve(configuration);
        AbstractConfig config = new AbstractConfig(type.config(), props, false);
        TaskSettings settings = TaskSettings.from(config);
        LaneSettings lanes = LaneSettings.from(config);
        Target target = type.open(props);
        try {
            started =
                    Optional.of(new SinkPipeline(context, settings, lanes, RetrySettings.from(config), target, clock));
        } catch (RuntimeException | Error e) {
            Utils.closeQuietly(target, "the target of a task that did not start");
            throw e;
        }
        publish(settings, true);
        sayIfLettersAreNotCounted(settings);
        log.info(
                "Task {} writes to {}: batches of up to {} records and {} bytes, {} in flight, ordered by {}",
                settings.name(),
                target.description(),
                lanes.batchRows(),
                lanes.batchBytes(),
                lanes.lanes(),
                EnumSetting.text(lanes.ordering()));
    }

    /** Only a worker has a topic of dead letters; a tool that runs the task has its own reports. */
    private void sayIfLettersAreNotCounted(TaskSettings settings) {
        String topic = given.get(RedriveSettings.LETTER_TOPIC); // Connect lets a setting be null
        if (settings.toleratesErrors()
                && topic != null
                && !topic.isBlank()
                && ProduceFailures.of(settings.connector(), settings.task())
                        .count()
                        .isEmpty()) {
            log.warn(
                    "Task {}: the worker does not show deadletterqueue-produce-failures over JMX, so a dead letter that its"
                            + " producer refuses, such as one that is too large, would count as written",
                    settings.name());
        }
    }

    /** Names of tables come with quotes, which each tool that reads metrics would escape. */
    private void publish(TaskSettings settings, boolean isFirst) {
        publishedAt = clock.nanoTime();
        published = Optional.of(show(settings, Map.of(), pipeline().metrics(), isFirst));
        pipeline()
                .showDestinations((destination, numbers) ->
                        show(settings, Map.of("destination", destination.replace("\"", "")), numbers, true));
    }

    private PublishedMetrics show(
            TaskSettings settings, Map<String, String> part, List<Metric> metrics, boolean isFirst) {
        PublishedMetrics shown = PublishedMetrics.ofTask(context, settings.connector(), settings.task(), part, metrics);
        shown.refusal()
                .filter(refusal -> isFirst)
                .ifPresent(refusal -> log.warn(
                        "The metrics of task {} cannot be published",
                        part.isEmpty() ? settings.name() : settings.name() + ' ' + part,
                        refusal));
        return shown;
    }

    private void publishIfNotShown() {
        boolean isTime = clock.nanoTime() - publishedAt >= PUBLISHES_EVERY.toNanos();
        if (isTime && published.flatMap(PublishedMetrics::refusal).isPresent()) {
            publish(pipeline().settings(), false);
        }
    }

    private SinkPipeline pipeline() {
        return started.orElseThrow(() -> new IllegalStateException("the task is not started"));
    }

    @Override
    public void put(Collection<SinkRecord> records) {
        publishIfNotShown();
        try {
            pipeline().put(records);
            Optional<Exception> refused = pipeline().refusal(type::isAccessRefused);
            if (refused.isPresent() && isTimeToAsk()) {
                boolean unused = startedOver(refused.get());
            }
        } catch (LaneFailedException e) {
            if (e.failedWrite().filter(type::isAccessRefused).isEmpty() || !startedOver(e)) {
                throw e;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ConnectException("interrupted while reporting refused records", e);
        }
    }

    /** Why records wait that were delivered: what they need cannot be fetched now. Empty if none does. */
    public final Optional<RetriableException> unprepared() {
        return started.flatMap(SinkPipeline::unprepared);
    }

    private boolean isTimeToAsk() {
        long now = clock.nanoTime();
        boolean isTime = asked.isEmpty() || now - asked.get() >= ASKS_EVERY.toNanos();
        asked = isTime ? Optional.of(now) : asked;
        return isTime;
    }

    /**
     * Starts over after a server refused access, if the settings have changed since. If they have not, or cannot be read
     * or used, or new ones have not helped {@link #MAX_FRUITLESS_STARTS} times, the task goes on with those that it has.
     */
    private boolean startedOver(Exception refused) {
        long now = clock.nanoTime();
        if (pipeline().hasWritten() || now - lastRefused > HELPED_AFTER.toNanos()) {
            fruitlessStarts = 0;
        }
        lastRefused = now;
        if (fruitlessStarts == MAX_FRUITLESS_STARTS) {
            return false;
        }
        Map<String, String> present;
        try {
            present = context.configs();
            if (present.equals(given)
                    || !type.validate(type.aliases().resolve(present)).isEmpty()) {
                return false;
            }
        } catch (RuntimeException e) {
            log.debug("Task {} cannot read its settings now", given.getOrDefault("name", "unnamed"), e);
            return false;
        }
        startOver(present, refused);
        return true;
    }

    /**
     * Opens everything again with new settings, and asks Connect to deliver unwritten records again. A config provider
     * may have the new password, but Connect gives it only to a task that starts.
     */
    private void startOver(Map<String, String> present, Exception failure) {
        fruitlessStarts++;
        log.warn(
                "Task {} could not go on, but its settings have changed since it was started: it starts over with them"
                        + " (start {} of at most {} until something is written)",
                given.getOrDefault("name", "unnamed"),
                fruitlessStarts,
                MAX_FRUITLESS_STARTS,
                failure);
        SinkPipeline failed = pipeline();
        stop();
        start(present);
        open(failed.partitions());
        pipeline().continues(failed);
        pipeline().goBackTo(failed.unfinished());
    }

    @Override
    public Map<TopicPartition, OffsetAndMetadata> preCommit(Map<TopicPartition, OffsetAndMetadata> currentOffsets) {
        return started.map(pipeline -> pipeline.preCommit(currentOffsets)).orElse(Map.of());
    }

    @Override
    public void open(Collection<TopicPartition> partitions) {
        pipeline().open(partitions);
    }

    @Override
    public void close(Collection<TopicPartition> partitions) {
        if (started.isEmpty()) {
            return; // Connect also closes partitions of a task that failed to start
        }
        try {
            pipeline().close(partitions);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void stop() {
        published.ifPresent(PublishedMetrics::close);
        published = Optional.empty();
        started.ifPresent(SinkPipeline::stop);
        started = Optional.empty();
    }
}
