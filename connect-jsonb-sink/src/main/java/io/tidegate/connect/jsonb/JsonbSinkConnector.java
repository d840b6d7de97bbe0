package io.tidegate.connect.jsonb;

import io.tidegate.connect.common.task.DocumentSinkConnector;
import io.tidegate.connect.jsonb.client.PoolLease;
import io.tidegate.connect.jsonb.client.PostgresFailures;
import io.tidegate.connect.jsonb.settings.ConnectionSettings;
import io.tidegate.connect.jsonb.settings.DeliverySettings;
import io.tidegate.connect.jsonb.sql.OffsetTable;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.connect.connector.Task;
import org.apache.kafka.connect.errors.ConnectException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Kafka Connect sink that writes JSON records as rows of a PostgreSQL table with a {@code jsonb} column. */
public final class JsonbSinkConnector extends DocumentSinkConnector {
    private static final Logger log = LoggerFactory.getLogger(JsonbSinkConnector.class);

    public JsonbSinkConnector() {
        super(new PostgresTargetType());
    }

    @Override
    public Class<? extends Task> taskClass() {
        return JsonbSinkTask.class;
    }

    /**
     * With {@code delivery.guarantee=exactly_once}, sets the server's offsets to those of the consumer group. Connect
     * calls this before it changes the group, and only while the connector is stopped. A partition that is reset has no
     * offset. If Connect then fails to change the group, the request has taken effect all the same where the server has
     * an offset, because that decides; elsewhere the group decides. Nothing is written before somebody resumes the
     * connector.
     */
    @Override
    public boolean alterOffsets(Map<String, String> connectorConfig, Map<TopicPartition, Long> offsets) {
        AbstractConfig config = new AbstractConfig(config(), resolve(connectorConfig), false);
        DeliverySettings delivery = DeliverySettings.from(config);
        if (!delivery.isExactlyOnce()) {
            return true;
        }
        Map<TopicPartition, Optional<Long>> next = new HashMap<>();
        offsets.forEach((partition, offset) -> next.put(partition, Optional.ofNullable(offset)));
        try (PoolLease pool = new PoolLease(ConnectionSettings.from(config));
                Connection connection = pool.borrow()) {
            if (!new OffsetTable(delivery, 0, false).set(connection, next)) {
                log.info(
                        "There is no table {} yet: the offsets of Kafka's group decide",
                        delivery.offsetsTable().sql());
            }
            return true;
        } catch (SQLException e) {
            throw new ConnectException(
                    "the offsets in " + delivery.offsetsTable().sql() + " could not be changed: "
                            + PostgresFailures.describe(e),
                    e);
        }
    }
}
