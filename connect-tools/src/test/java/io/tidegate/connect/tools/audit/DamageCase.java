package io.tidegate.connect.tools.audit;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidegate.connect.elasticsearch.ElasticsearchBulkSinkTask;
import io.tidegate.connect.jsonb.JsonbSinkTask;
import io.tidegate.connect.testkit.kafka.Kafka;
import io.tidegate.connect.testkit.process.Poll;
import io.tidegate.connect.testkit.process.ServerException;
import io.tidegate.connect.tools.CommandRun;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.connect.sink.SinkTask;

/**
 * One case, drawn from a seed: topics, a connector, a store, what is done to the store behind the connector's back, and
 * what an audit must say about that.
 */
final class DamageCase {
    private static final int KEYS = 12;

    /** Keys that only a sink writes which is running while the connector is audited. */
    private static final List<String> BUSY = List.of("b0", "b1", "b2");

    private final Kafka kafka;
    private final KafkaProducer<byte[], byte[]> producer;
    private final String name;
    private final Random dice;
    private final DamagedStore store;
    private final Path file;
    private final List<TopicPartition> partitions = new ArrayList<>();
    private final boolean movesKeys;
    private final boolean isExpired;
    private final boolean isRecreated;
    private final boolean isCompacted;
    private final boolean isShared; // another connector writes to the same table or index
    private final boolean isBusy;
    private final Map<String, Damage> damaged = new TreeMap<>(); // by identity
    private final Set<TopicPartition> ofSeveralLogs = new HashSet<>();
    private final Set<String> letters = new HashSet<>(); // places
    private int value;
    private int busyValue = 1_000_000;
    private List<JsonNode> lastLines = List.of();
    private History compared;
    private Set<String> newer = Set.of(); // of records that the connector has not written yet
    private Set<String> touched = Set.of(); // also of those that it will refuse
    private Map<String, List<History.Entry>> latest = Map.of();

    /** What is done to a row or document. */
    private enum Damage {
        DELETED,
        REFUSED,
        REFUSED_BY_ANOTHER,
        CHANGED,
        OLD,
        UNDELETED,
        COPIED,
        COPIED_AND_CHANGED,
        STRANGE
    }

    DamageCase(
            Kafka kafka,
            KafkaProducer<byte[], byte[]> producer,
            String name,
            DamagedStore store,
            Random dice,
            Path folder) {
        this.kafka = kafka;
        this.producer = producer;
        this.name = name;
        this.store = store;
        this.dice = dice;
        this.file = folder.resolve(name + ".json");
        this.isRecreated = dice.nextInt(6) == 0 && store.takesNewTopics();
        this.isExpired = !isRecreated && dice.nextInt(6) == 0;
        this.isCompacted = !isRecreated && !isExpired && dice.nextInt(6) == 0;
        this.movesKeys = !isExpired && dice.nextInt(4) == 0;
        this.isShared = dice.nextInt(4) == 0;
        this.isBusy = !isRecreated && dice.nextInt(3) == 0;
        int topics = 1 + dice.nextInt(2);
        for (int topic = 0; topic < topics; topic++) {
            int count = 1 + dice.nextInt(3);
            for (int partition = 0; partition < count; partition++) {
                partitions.add(new TopicPartition(name + "t" + topic, partition));
            }
        }
    }

    @Override
    public String toString() {
        return name + ": " + store + ", " + partitions + (movesKeys ? ", moved keys" : "")
                + (isExpired ? ", expired" : "") + (isRecreated ? ", recreated" : "")
                + (isCompacted ? ", compacted" : "") + (isShared ? ", shared" : "") + (isBusy ? ", busy" : "")
                + ", damage " + damaged;
    }

    /** All that a failure depends on. */
    String details() {
        StringBuilder details = new StringBuilder(toString() + "\nnewer " + newer);
        latest.forEach((identity, entries) -> details.append('\n').append(entries));
        lastLines.forEach(line -> details.append('\n').append(line));
        return details.toString();
    }

    /** Cases whose topics Kafka compacts take time until that has happened. */
    boolean isCompacted() {
        return isCompacted;
    }

    private Map<String, String> config() {
        return config(
                name, partitions.stream().map(TopicPartition::topic).distinct().collect(Collectors.joining(",")));
    }

    private Map<String, String> config(String connector, String topics) {
        Map<String, String> config = new HashMap<>(store.config());
        config.put("name", connector);
        config.put("topics", topics);
        config.put("key.converter", "org.apache.kafka.connect.storage.StringConverter");
        config.put("value.converter", "org.apache.kafka.connect.converters.ByteArrayConverter");
        config.put("errors.tolerance", "all");
        config.put("errors.deadletterqueue.topic.name", connector + "dlq");
        return config;
    }

    private void createTopics() {
        partitions.stream()
                .collect(Collectors.groupingBy(TopicPartition::topic, Collectors.counting()))
                .forEach((topic, count) -> createTopic(topic, count.intValue()));
    }

    private void createTopic(String topic, int count) {
        try {
            kafka.createTopic(
                    topic,
                    count,
                    isCompacted
                            ? Map.of(
                                    "cleanup.policy", "compact",
                                    "segment.ms", "100",
                                    "min.cleanable.dirty.ratio", "0.001")
                            : Map.of());
        } catch (ServerException e) {
            if (!isRecreated) {
                throw e;
            }
            // The topic is there. What failed is the wait for its leaders, because of the deletion before.
        }
    }

    /** Writes topics and store. */
    void prepare() throws Exception {
        Files.writeString(file, new ObjectMapper().writeValueAsString(config()));
        kafka.createTopic(name + "dlq", 1);
        createTopics();
        if (isRecreated) {
            produce(10 + dice.nextInt(30));
            deliver();
            partitions.stream().map(TopicPartition::topic).distinct().forEach(kafka::deleteTopic);
            createTopics();
            History unused = History.read(kafka.bootstrapServers(), partitions); // waits for them
        }
        for (int part = 0; part < 1 + dice.nextInt(3); part++) {
            produce(10 + dice.nextInt(40));
            deliver();
        }
        if (isExpired) {
            expire();
        }
        if (isShared) {
            deliverOther();
        }
    }

    /** Another connector writes to the same store, in part over rows of the same keys. It deletes nothing. */
    private void deliverOther() throws ReflectiveOperationException {
        TopicPartition other = new TopicPartition(name + "other", 0);
        kafka.createTopic(other.topic(), 1);
        boolean isSameKey = store.takesOtherLogs() && dice.nextBoolean();
        for (int i = 0; i < 5; i++) {
            String key = (isSameKey && i == 0 ? "k" : "o") + i;
            send(new ProducerRecord<>(other.topic(), 0, bytes(key), bytes("{\"o\":" + i + "}")));
        }
        producer.flush();
        try (RunningTask running = new RunningTask(
                kafka.bootstrapServers(), task(), config(name + "other", other.topic()), Set.of(other))) {
            running.catchUp();
        }
    }

    /** Waits until the log has one record of each key, but for the segment that Kafka still writes. */
    private void awaitCompaction() {
        for (TopicPartition partition : partitions) {
            send(new ProducerRecord<>(
                    partition.topic(), partition.partition(), bytes("last"), bytes("{\"v\":" + ++value + "}")));
        }
        producer.flush();
        assertThat(Poll.until(
                        () -> {
                            List<History.Entry> entries = History.read(kafka.bootstrapServers(), partitions)
                                    .all();
                            return entries.stream()
                                            .map(entry -> entry.topicPartition() + " " + entry.key())
                                            .distinct()
                                            .count()
                                    == entries.size();
                        },
                        Duration.ofMinutes(3)))
                .as("the topics are compacted")
                .isTrue();
    }

    private void produce(int records) {
        for (int i = 0; i < records; i++) {
            String key = "k" + dice.nextInt(KEYS);
            TopicPartition partition = partitions.get(
                    movesKeys && dice.nextInt(4) == 0
                            ? dice.nextInt(partitions.size())
                            : Math.floorMod(key.hashCode(), partitions.size()));
            value++;
            String text =
                    switch (dice.nextInt(12)) {
                        case 0, 1 -> null;
                        case 2 -> "not JSON";
                        default -> "{\"v\":" + value + "}";
                    };
            send(new ProducerRecord<>(partition.topic(), partition.partition(), bytes(key), bytes(text)));
        }
        producer.flush();
    }

    private static byte[] bytes(String text) {
        return text == null ? null : text.getBytes(StandardCharsets.UTF_8);
    }

    private void send(ProducerRecord<byte[], byte[]> message) {
        Future<RecordMetadata> unused = producer.send(message);
    }

    private SinkTask task() {
        return store.config().get("connector.class").contains("Jsonb")
                ? new JsonbSinkTask()
                : new ElasticsearchBulkSinkTask();
    }

    private void deliver() throws ReflectiveOperationException {
        try (RunningTask running =
                new RunningTask(kafka.bootstrapServers(), task(), config(), Set.copyOf(partitions))) {
            running.catchUp();
        }
    }

    private void expire() throws Exception {
        TopicPartition partition = partitions.get(dice.nextInt(partitions.size()));
        long end = History.read(kafka.bootstrapServers(), List.of(partition))
                .ends()
                .get(partition);
        if (end > 1) {
            try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
                admin.deleteRecords(Map.of(partition, RecordsToDelete.beforeOffset(1 + dice.nextInt((int) end - 1))))
                        .all()
                        .get();
            }
        }
    }

    /** The whole case. */
    void run() throws Exception {
        prepare();
        check();
    }

    /** Damages the store, and compares what the audit says with what it should. */
    void check() throws Exception {
        if (isCompacted) {
            awaitCompaction();
        }
        deliver();
        compared = History.read(kafka.bootstrapServers(), partitions);
        latest = compared.latest(store);
        if (dice.nextBoolean() && !isCompacted) { // or Kafka would delete the records before of its key
            produce(1 + dice.nextInt(4));
            List<History.Entry> since =
                    History.read(kafka.bootstrapServers(), partitions).from(compared.ends());
            touched = since.stream().map(store::identityOf).collect(Collectors.toSet());
            newer = since.stream()
                    .filter(entry -> !entry.isMalformed() && (!entry.isDeletion() || store.deletes()))
                    .map(store::identityOf)
                    .collect(Collectors.toSet());
        }
        if (!isBusy) {
            checkAudits();
            return;
        }
        if (store.isKeyed()) {
            newer = Stream.concat(newer.stream(), BUSY.stream()).collect(Collectors.toSet());
        }
        RunningTask task = new RunningTask(kafka.bootstrapServers(), task(), config(), Set.copyOf(partitions), true);
        try (BusySink busy = new BusySink(task, this::produceBusy)) {
            checkAudits();
        }
        compared = History.read(kafka.bootstrapServers(), partitions);
        latest = compared.latest(store);
        newer = Set.of();
        assertThat(audit().found()).as("after the sink has stopped").isEqualTo(expected(store.read()));
    }

    private void produceBusy() {
        LockSupport.parkNanos(10_000_000); // the audits would not end if each had much more to compare
        for (String key : BUSY) {
            TopicPartition partition = partitions.get(Math.floorMod(key.hashCode(), partitions.size()));
            String text = ++busyValue % 5 == 0 ? null : "{\"v\":" + busyValue + "}";
            send(new ProducerRecord<>(partition.topic(), partition.partition(), bytes(key), bytes(text)));
        }
        producer.flush();
    }

    private void checkAudits() throws Exception {
        SortedMap<String, List<String>> right = stored();
        Audited clean = audit();
        assertThat(clean.found()).as("before the damage").isEqualTo(expected(right));
        damage(right);
        SortedMap<String, List<String>> wrong = stored();
        if (store.showsPositions() && !store.noticesStrangers()) {
            store.awaitForgotten(); // an index remembers the versions of deletions for some time
        }
        Map<String, String> expected = expected(wrong);
        assertThat(audit().found()).as("after the damage").isEqualTo(expected);
        Audited repaired = audit("--repair", "--yes");
        assertThat(repaired.found()).as("while it is repaired").isEqualTo(expected);
        SortedMap<String, List<String>> after = stored();
        Set<String> restored = restored(right, wrong, after);
        assertThat(repaired.repaired()).as("number of changes").isEqualTo(restored.size());
        assertThat(restored).as("what records prove").containsAll(provable(wrong));
        Map<String, String> rest = new TreeMap<>(expected);
        rest.keySet().removeAll(restored);
        Audited left = audit("--repair", "--yes");
        assertThat(left.found()).as("what is left").isEqualTo(rest);
        assertThat(left.left()).as("how many are left, and why").isEqualTo(rest.size());
        assertThat(stored()).isEqualTo(after);
    }

    /** What is stored, without what a busy sink writes. */
    private SortedMap<String, List<String>> stored() throws Exception {
        SortedMap<String, List<String>> stored = store.read();
        if (isBusy) {
            stored.keySet().removeIf(identity -> newer.contains(identity) || isBehind(identity));
        }
        return stored;
    }

    private boolean isBehind(String identity) {
        return !store.isKeyed()
                && partitions.stream()
                        .anyMatch(partition -> identity.startsWith(partition + "@")
                                && offset(identity) >= compared.ends().get(partition));
    }

    private static long offset(String place) {
        return Long.parseLong(place.substring(place.lastIndexOf('@') + 1));
    }

    private static final class Audited {
        private final List<JsonNode> lines = new ArrayList<>();
        private final boolean isKeyed;

        Audited(CommandRun run, boolean isKeyed) throws Exception {
            this.isKeyed = isKeyed;
            assertThat(run.err()).isEmpty();
            for (String line : run.out().lines().toList()) {
                lines.add(new ObjectMapper().readTree(line));
            }
        }

        /** The kind of each finding, by what identifies the row or document. */
        Map<String, String> found() {
            Map<String, String> found = new TreeMap<>();
            lines.stream().filter(line -> line.has("detail")).forEach(line -> {
                String place = line.path("topic").asText() + "-" + line.path("partition") + "@" + line.path("offset");
                String identity = isKeyed ? line.path("key").asText() : place;
                assertThat(found.put(identity, line.get("type").asText()))
                        .as("twice: " + identity)
                        .isNull();
            });
            return found;
        }

        /** How many differences the plan or the repair leaves alone with a reason. */
        int left() {
            int left = 0;
            for (JsonNode line : lines) {
                if (Set.of("plan", "repair").contains(line.path("type").asText())) {
                    for (JsonNode reason : line.get("left")) {
                        left += reason.asInt();
                    }
                }
            }
            return left;
        }

        int repaired() {
            return lines.stream()
                    .filter(line -> line.path("type").asText().equals("repair"))
                    .mapToInt(line -> line.get("repaired").asInt())
                    .sum();
        }
    }

    private Audited audit(String... options) throws Exception {
        List<String> words = new ArrayList<>(
                List.of("audit", file.toString(), "--bootstrap-servers", kafka.bootstrapServers(), "--json"));
        words.addAll(List.of(options));
        Audited audited = new Audited(CommandRun.of(words.toArray(String[]::new)), store.isKeyed());
        lastLines = audited.lines;
        return audited;
    }

    private void damage(SortedMap<String, List<String>> right) throws Exception {
        List<String> stored = right.keySet().stream()
                .filter(identity -> latest.containsKey(identity) && !newer.contains(identity))
                .collect(Collectors.toCollection(ArrayList::new));
        Collections.shuffle(stored, dice);
        for (String identity : stored.subList(0, Math.min(stored.size(), 1 + dice.nextInt(6)))) {
            damageStored(identity);
        }
        if (dice.nextBoolean()) {
            damageAbsent(right);
        }
    }

    private void damageStored(String identity) throws Exception {
        List<History.Entry> ofPartitions = latest.get(identity);
        History.Entry last = ofPartitions.get(0);
        boolean isCertain = ofPartitions.size() == 1;
        Optional<History.Entry> older = older(last);
        switch (dice.nextInt(6)) {
            case 0 -> delete(identity, Damage.DELETED);
            case 1 -> {
                if (isCertain && !last.isDeletion()) {
                    delete(identity, dice.nextBoolean() ? Damage.REFUSED : Damage.REFUSED_BY_ANOTHER);
                    letter(last, damaged.get(identity) == Damage.REFUSED ? name : "another");
                }
            }
            case 2 -> {
                if (store.allowsCopies()) {
                    store.copy(identity);
                    damaged.put(identity, Damage.COPIED);
                }
            }
            case 3 -> {
                if (store.allowsCopies()) {
                    store.copy(identity);
                    store.writeStranger(identity, last.topic());
                    damaged.put(identity, Damage.COPIED_AND_CHANGED);
                    ofSeveralLogs.add(last.topicPartition());
                }
            }
            case 4 -> {
                if (isCertain && older.isPresent()) {
                    store.write(older.get());
                    damaged.put(identity, Damage.OLD);
                }
            }
            default -> {
                store.change(identity, isCertain ? Optional.of(last) : Optional.empty());
                damaged.put(identity, Damage.CHANGED);
                ofSeveralLogs.add(last.topicPartition());
            }
        }
    }

    private void delete(String identity, Damage damage) throws Exception {
        List<History.Entry> ofPartitions = latest.get(identity);
        store.delete(identity, ofPartitions.size() == 1 ? Optional.of(ofPartitions.get(0)) : Optional.empty());
        damaged.put(identity, damage);
    }

    private void letter(History.Entry refused, String connector) {
        ProducerRecord<byte[], byte[]> letter =
                new ProducerRecord<>(name + "dlq", bytes(refused.value().get()));
        letter.headers()
                .add("__connect.errors.connector.name", bytes(connector))
                .add("__connect.errors.topic", bytes(refused.topic()))
                .add("__connect.errors.partition", bytes("" + refused.partition()))
                .add("__connect.errors.offset", bytes("" + refused.offset()));
        send(letter);
        producer.flush();
        if (connector.equals(name)) {
            letters.add(refused.place());
        }
    }

    /** A record of the same key and partition that wrote another row. */
    private Optional<History.Entry> older(History.Entry last) {
        return compared.all().stream()
                .filter(entry -> store.isKeyed()
                        && !entry.isDeletion()
                        && !entry.isMalformed()
                        && entry.key().equals(last.key())
                        && entry.topicPartition().equals(last.topicPartition())
                        && entry.offset() < last.offset())
                .findFirst();
    }

    private void damageAbsent(SortedMap<String, List<String>> right) throws Exception {
        Optional<History.Entry> deletion = latest.values().stream()
                .filter(ofPartitions -> ofPartitions.size() == 1)
                .map(ofPartitions -> ofPartitions.get(0))
                .filter(entry -> !right.containsKey(store.identityOf(entry))
                        && entry.isDeletion()
                        && !newer.contains(store.identityOf(entry)))
                .findFirst();
        if (deletion.flatMap(this::older).isPresent()) {
            store.write(older(deletion.get()).get());
            damaged.put(store.identityOf(deletion.get()), Damage.UNDELETED);
        } else if (store.noticesStrangers()) {
            Optional<String> identity = store.isKeyed()
                    ? Optional.of("stranger")
                    : compared.all().stream()
                            .filter(entry -> entry.isDeletion() || entry.isMalformed())
                            .map(History.Entry::place)
                            .filter(place -> !right.containsKey(place))
                            .findFirst();
            if (identity.isPresent()) {
                store.writeStranger(identity.get(), partitions.get(0).topic());
                damaged.put(identity.get(), Damage.STRANGE);
            }
        }
    }

    /** What an audit must find, from the records and what is stored. */
    private Map<String, String> expected(SortedMap<String, List<String>> stored) {
        Map<String, String> expected = new TreeMap<>();
        Set<String> identities = new TreeSet<>(latest.keySet());
        identities.addAll(stored.keySet());
        identities.removeAll(newer);
        for (String identity : identities) {
            kind(identity, stored.getOrDefault(identity, List.of())).ifPresent(kind -> expected.put(identity, kind));
        }
        return expected;
    }

    private Optional<String> kind(String identity, List<String> contents) {
        List<History.Entry> records = latest.getOrDefault(identity, List.of());
        if (records.isEmpty()) {
            return isSurplus(identity, contents.get(0)) ? Optional.of("surplus") : Optional.empty();
        }
        boolean isDeleted = records.stream().anyMatch(History.Entry::isDeletion);
        boolean isDeletedOnly = records.stream().allMatch(History.Entry::isDeletion);
        boolean isRefused = records.stream().anyMatch(entry -> letters.contains(entry.place()));
        if (contents.isEmpty()) {
            return isDeleted || isRefused ? Optional.empty() : Optional.of("missing");
        }
        if (contents.size() > 1) {
            return Optional.of("doubled");
        }
        boolean fits =
                records.stream().filter(entry -> !entry.isDeletion()).anyMatch(entry -> isOf(entry, contents.get(0)));
        return fits || isRefused ? Optional.empty() : Optional.of(isDeletedOnly ? "surplus" : "different");
    }

    private boolean isOf(History.Entry entry, String content) {
        return store.isKeyed()
                ? content.equals(store.contentOf(entry))
                : content.startsWith(entry.value().orElseThrow() + "|");
    }

    /** Whether Kafka has all records of the place or key of a row that no record explains. */
    private boolean isSurplus(String identity, String content) {
        if (!store.noticesStrangers()) {
            return false;
        }
        if (store.isKeyed()) {
            boolean isOfOther = store.showsPositions() && content.contains("|" + name + "other-");
            return !isOfOther && isWhole() && (!isCompacted || store.deletes());
        }
        return !isCompacted
                && partitions.stream()
                        .filter(each -> identity.startsWith(each + "@"))
                        .anyMatch(partition ->
                                offset(identity) >= compared.begins().get(partition)
                                        && offset(identity) < compared.ends().get(partition));
    }

    /** Whether Kafka's logs begin with their first record, some of which may be compacted away since. */
    private boolean isWhole() {
        return partitions.stream().allMatch(partition -> compared.begins().get(partition) == 0);
    }

    /** What is as it was before the damage. All else must be as it was after it. */
    private Set<String> restored(
            SortedMap<String, List<String>> right,
            SortedMap<String, List<String>> wrong,
            SortedMap<String, List<String>> after) {
        Set<String> identities = new TreeSet<>(right.keySet());
        identities.addAll(wrong.keySet());
        identities.addAll(after.keySet());
        Set<String> restored = new TreeSet<>();
        for (String identity : identities) {
            if (!Optional.ofNullable(after.get(identity)).equals(Optional.ofNullable(wrong.get(identity)))) {
                // A row of a topic's earlier log was wrong before.
                boolean isOfRecord = isRecreated
                        && after.containsKey(identity)
                        && kind(identity, after.get(identity)).isEmpty();
                if (!isOfRecord) {
                    assertThat(after.get(identity)).as(identity).isEqualTo(right.get(identity));
                }
                restored.add(identity);
            }
        }
        return restored;
    }

    /** What a repair must not leave alone. */
    private Set<String> provable(SortedMap<String, List<String>> wrong) {
        boolean isOrderKnown = (isWhole() && !isCompacted) || partitions.size() == 1;
        boolean isLeftToTheSink = isBusy && store.isOrderOnly();
        Map<String, String> expected = expected(wrong);
        Set<String> provable = new TreeSet<>();
        damaged.forEach((identity, damage) -> {
            boolean isProved =
                    switch (damage) {
                        case DELETED, REFUSED_BY_ANOTHER ->
                            latest.get(identity).size() == 1
                                    && (!store.deletes() || isOrderKnown)
                                    && !isLeftToTheSink
                                    // A redrive by the other one, which may be an earlier name, would double the row.
                                    && !(damage == Damage.REFUSED_BY_ANOTHER && store.allowsCopies());
                        case OLD, UNDELETED -> store.showsPositions() && !isLeftToTheSink;
                        case COPIED ->
                            !isRecreated
                                    && !ofSeveralLogs.contains(
                                            latest.get(identity).get(0).topicPartition());
                        default -> false;
                    };
            if (isProved && expected.containsKey(identity) && !touched.contains(identity)) {
                provable.add(identity);
            }
        });
        return provable;
    }
}
