package io.tidegate.connect.quickstart;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.connect.quickstart.view.PlainView;
import io.tidegate.connect.quickstart.view.Snapshot.Details;
import io.tidegate.connect.testkit.kafka.ConnectWorker;
import java.io.OutputStream;
import java.io.PrintStream;
import org.junit.jupiter.api.Test;

final class DetailReaderTest {
    /** The worker has no JMX port then, and the store does not run here. */
    @Test
    void asksNobodyIfTheViewShowsNoDetails() throws Exception {
        ConnectWorker worker =
                ConnectWorker.builder().bootstrapServers("127.0.0.1:9092").build();

        try (DetailReader reader =
                DetailReader.of(new PlainView(new PrintStream(OutputStream.nullOutputStream(), true, UTF_8)), worker)) {
            assertThat(reader.read(new TidesTable(4))).isEqualTo(Details.NONE);
        }
    }
}
