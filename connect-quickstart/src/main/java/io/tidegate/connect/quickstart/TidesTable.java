package io.tidegate.connect.quickstart;

import io.tidegate.connect.cli.ToolException;
import io.tidegate.connect.lab.store.PostgresStore;
import io.tidegate.connect.lab.store.Store;
import io.tidegate.connect.quickstart.view.Sink;
import io.tidegate.connect.quickstart.view.Snapshot.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The table {@code tides} in PostgreSQL. */
final class TidesTable implements TideStore {
    /** After a redelivery, {@code insert.mode=ignore} of the sink relies on the unique constraint. */
    private static final String TABLE = """
            CREATE TABLE tides (
              doc jsonb NOT NULL,
              kafka_topic text,
              kafka_partition int,
              kafka_offset bigint,
              UNIQUE (kafka_topic, kafka_partition, kafka_offset)
            )""";

    /** The highest offset of each partition in the unique index: four look-ups, whatever the number of rows. */
    private static final String ARRIVED = """
            SELECT coalesce(sum(last + 1), 0)
            FROM generate_series(0, %d) AS p(partition),
              LATERAL (SELECT max(kafka_offset) AS last FROM tides
                       WHERE kafka_topic = '%s' AND kafka_partition = p.partition) AS ends""";

    private static final String DUPLICATES = """
            SELECT coalesce(sum(found.n - 1), 0) + coalesce(sum(1) FILTER (WHERE NOT produced), 0)
            FROM (SELECT count(*) AS n, coalesce(kafka_offset < ends.next, false) AS produced
                  FROM tides LEFT JOIN (VALUES %s) AS ends(partition, next) ON kafka_partition = ends.partition
                  GROUP BY kafka_topic, kafka_partition, kafka_offset, ends.next) AS found""";

    private static final String HIGHEST_TIDES = """
            SELECT doc->>'name' AS station, max((doc->'level')::numeric) AS metres
            FROM tides
            WHERE jsonb_typeof(doc->'level') = 'number'
            GROUP BY station ORDER BY metres DESC LIMIT 5""";

    private static final String STATION = """
            SELECT doc->>'station', coalesce(doc->>'name', doc->>'station')
            FROM (SELECT doc FROM tides LIMIT 5000) AS first
            WHERE doc->>'station' <> '' AND doc->>'time' <> '' AND jsonb_typeof(doc->'level') = 'number'
            ORDER BY doc->>'station' = '%s' DESC LIMIT 1""".formatted(SEATTLE);

    /** It reads the end of each partition only, so that its cost does not grow with the table. */
    private static final String LEVELS = """
            SELECT doc->>'time' AS time, (doc->>'level')::float8
            FROM generate_series(0, %d) AS p(partition),
              LATERAL (SELECT doc FROM tides
                       WHERE kafka_topic = '%s' AND kafka_partition = p.partition
                       ORDER BY kafka_offset DESC LIMIT 30000) AS last
            WHERE doc->>'station' = '%s' AND doc->>'time' <> '' AND jsonb_typeof(doc->'level') = 'number'
            ORDER BY time DESC LIMIT %d""";

    private final PostgresStore store = new PostgresStore(Map.of());
    private final int partitions;
    private final String arrived;

    TidesTable(int partitions) {
        this.partitions = partitions;
        arrived = ARRIVED.formatted(partitions - 1, Plan.TOPIC);
    }

    @Override
    public Sink sink() {
        return Sink.JSONB;
    }

    @Override
    public Store store() {
        return store;
    }

    @Override
    public void prepare() throws ToolException {
        store.open();
        store.queries().execute(TABLE);
    }

    @Override
    public long arrived() throws ToolException {
        return store.queries().number(arrived);
    }

    @Override
    public long count() throws ToolException {
        return store.queries().number("SELECT count(*) FROM tides");
    }

    @Override
    public long duplicates(Produced produced) throws ToolException {
        List<String> ends = new ArrayList<>();
        for (int partition = 0; partition < produced.perPartition().size(); partition++) {
            ends.add("(" + partition + ", " + produced.perPartition().get(partition) + ")");
        }
        return store.queries().number(DUPLICATES.formatted(String.join(", ", ends)));
    }

    @Override
    public Example highestTides() throws ToolException {
        List<String> answer = store.queries()
                .rows(HIGHEST_TIDES, row -> Example.row(String.valueOf(row.getString(1)), row.getDouble(2)));
        return new Example(HIGHEST_TIDES, answer);
    }

    @Override
    public Optional<Station> station() throws ToolException {
        return store.queries().rows(STATION, row -> new Station(row.getString(1), row.getString(2))).stream()
                .findFirst();
    }

    @Override
    public List<Level> levels(String station) throws ToolException {
        String query = LEVELS.formatted(partitions - 1, Plan.TOPIC, station.replace("'", "''"), MOST_LEVELS);
        return store.queries().rows(query, row -> TideStore.level(row.getString(1), row.getDouble(2))).stream()
                .flatMap(Optional::stream)
                .toList();
    }

    @Override
    public String address() {
        return store.shellCommand();
    }
}
