package io.tidegate.connect.quickstart;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.connect.quickstart.view.PlainView;
import io.tidegate.connect.quickstart.view.Sink;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

final class ReportTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final Report report = new Report(new PlainView(new PrintStream(out, true, UTF_8)));

    @Test
    void saysTheSteadyRateOfEachSink() {
        report.steadyRates(
                List.of(result(Sink.JSONB, OptionalLong.of(280_123)), result(Sink.ES, OptionalLong.empty())));

        assertThat(out.toString(UTF_8).strip())
                .isEqualTo("Steady rate, from 20 % to 90 % of the records: jsonb 280,123 records/s, es\n"
                        + "  unknown from so few samples");
    }

    @Test
    void namesTheCpuAsTheLimitIfItWasBusy() {
        assertThat(Report.limit(Duration.ofSeconds(38), Duration.ofSeconds(20), 2, 0.99, 1_000_000))
                .isEqualTo(
                        "What limits it: the CPU. The servers and this program share 2 cores and used 95 % of them.");
        assertThat(Report.limit(Duration.ofSeconds(38), Duration.ofSeconds(20), 2, -1, 100_000))
                .endsWith("used 95 % of them, and all JVMs were cold: try --records 1000000, or one of --sinks.");
    }

    @Test
    void doesNotBlameACpuThatHadTime() {
        assertThat(Report.limit(Duration.ofSeconds(40), Duration.ofSeconds(10), 8, 0.55, 1_000_000))
                .isEqualTo(
                        "What limits it: not the CPU alone. The servers and this program share 8 cores and used 50 % of"
                                + " them.");
    }

    @Test
    void namesTheShareOfOtherPrograms() {
        assertThat(Report.limit(Duration.ofSeconds(16), Duration.ofSeconds(20), 2, 0.97, 1_000_000))
                .isEqualTo(
                        "What limits it: the CPU. The servers and this program share 2 cores and used 40 % of them, other"
                                + " programs 57 %.");
    }

    private static Result result(Sink sink, OptionalLong steadyRate) {
        return new Result(sink, 10, 10, 0, Duration.ofSeconds(1), steadyRate);
    }
}
