package io.tidegate.connect.common.spi;

import io.tidegate.connect.common.settings.Aliases;
import io.tidegate.connect.common.settings.Problem;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;

/** A kind of server that a sink writes to: its settings, and how a task reaches it. Stateless. */
public interface TargetType {
    /** The version of the sink; never null or empty. */
    String version();

    /** Every setting of the sink, including those of the shared pipeline. */
    ConfigDef config();

    /** Other names for some of the settings. The other methods get only our names. */
    default Aliases aliases() {
        return Aliases.NONE;
    }

    /**
     * Warnings about settings that are valid but perhaps not what the user means; each is a sentence.
     *
     * @param props as the user wrote them
     */
    default List<String> warnings(Map<String, String> props) {
        return List.of();
    }

    /**
     * What is wrong with settings that are each valid alone. Called for {@code Connector.validate} only when
     * {@link #config()} has no complaint.
     *
     * @return one problem for each setting at fault; empty when there is none
     */
    List<Problem> validate(Map<String, String> props);

    /**
     * A check whether the server would accept what a connector with these settings is going to send. Called for
     * {@code Connector.validate} only when {@link #validate} finds no problem. It must not contact the server yet.
     *
     * @return empty when there is nothing to ask
     */
    default Optional<ServerCheck> serverCheck(Map<String, String> props) {
        return Optional.empty();
    }

    /**
     * Whether the server refused the task's credentials or permissions, or could not be reached at the address in the
     * settings: new settings may change that.
     *
     * @param failure after which the task must fail
     */
    default boolean isAccessRefused(WriteException failure) {
        return false;
    }

    /** What of a record decides which row or document it becomes. The settings have no problem. */
    RecordIdentity identity(Map<String, String> props);

    /**
     * Opens the target of one task. It must not contact the server, because a task can start while the server is down.
     *
     * @param props the task's configuration as Connect gives it
     * @throws ConfigException when the settings cannot be used; nothing is left open then
     */
    Target open(Map<String, String> props);
}
