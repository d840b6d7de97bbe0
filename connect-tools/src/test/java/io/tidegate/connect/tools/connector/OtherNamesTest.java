package io.tidegate.connect.tools.connector;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.connect.common.settings.MisspelledSettings;
import io.tidegate.connect.common.task.DocumentSinkConnector;
import java.util.HashSet;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.kafka.connect.runtime.SinkConnectorConfig;
import org.apache.kafka.connect.sink.SinkConnector;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The names of Connect and of the other sinks are not taken for misspelled ones. */
final class OtherNamesTest {
    private static Stream<SinkConnector> connectors() {
        return ServiceLoader.load(SinkConnector.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(DocumentSinkConnector.class::isInstance);
    }

    @ParameterizedTest
    @MethodSource("connectors")
    void areNoMisspelledSettings(SinkConnector connector) {
        Set<String> names = new HashSet<>(SinkConnectorConfig.configDef().names());
        connectors().forEach(other -> names.addAll(other.config().names()));

        assertThat(MisspelledSettings.problems(names, connector.config().names()))
                .isEmpty();
    }
}
