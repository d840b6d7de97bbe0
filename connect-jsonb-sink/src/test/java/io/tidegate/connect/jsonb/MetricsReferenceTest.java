package io.tidegate.connect.jsonb;

import io.tidegate.connect.common.metrics.Metric;
import io.tidegate.connect.common.task.TaskMetrics;
import io.tidegate.connect.jsonb.client.PoolMetrics;
import io.tidegate.connect.testkit.scenarios.MetricsReference;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

final class MetricsReferenceTest {
    private static final Path PAGE = Path.of("..", "docs", "reference", "metrics.md");

    private static List<MetricsReference.Row> rows(List<Metric> metrics) {
        return metrics.stream()
                .map(metric -> new MetricsReference.Row(metric.name(), metric.unit(), metric.description()))
                .toList();
    }

    @Test
    void thePageShowsTheMetricsOfEveryTaskAsTheyAre() {
        MetricsReference.check("metrics of tasks", rows(TaskMetrics.described()), PAGE);
    }

    @Test
    void thePageShowsThePoolsMetricsAsTheyAre() {
        MetricsReference.check("metrics of the JSONB sink's pool", rows(PoolMetrics.described()), PAGE);
    }
}
