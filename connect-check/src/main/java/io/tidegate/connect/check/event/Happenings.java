package io.tidegate.connect.check.event;

import io.tidegate.connect.check.run.Happening;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Everything that can happen. */
public final class Happenings {
    /** Each event and each fault once. */
    public static final List<Happening> ALL = List.of(
            new AnswersLost(),
            new BrokerPaused(),
            ColumnAdded.OF_NO_FIELD,
            ColumnAdded.OF_FIELD,
            new ConnectionsCut(),
            new ConnectionsSilent(),
            new ConnectorPaused(),
            new ConnectorRestarted(),
            new ConnectorStopped(),
            new IndexBlocked(),
            new KeyColumnRetyped(),
            new OffsetsReset(),
            new OffsetsRewound(),
            new OneOffsetReset(),
            new PartitionsAdded(),
            new ProxyAnswers(),
            new RegistryPaused(),
            new SettingsChanged(),
            new StoreEmptied(),
            new StorePaused(),
            new StoreRestarted(),
            new StoreWentBack(),
            new TableHangs(),
            new TableLocked(),
            new TopicRecreated(),
            new WorkerKilled(),
            new WorkerPaused());

    /** What only its own case feels has at least this weight. */
    private static final int OWN = 10;

    private Happenings() {}

    /**
     * What can happen.
     *
     * @param shared whether also what all running cases feel
     */
    public static List<Happening> all(boolean shared) {
        return ALL.stream().filter(one -> shared || one.weight() >= OWN).toList();
    }

    public static Map<String, Happening> byName() {
        Map<String, Happening> byName = new LinkedHashMap<>();
        ALL.forEach(one -> byName.put(one.name(), one));
        return byName;
    }
}
