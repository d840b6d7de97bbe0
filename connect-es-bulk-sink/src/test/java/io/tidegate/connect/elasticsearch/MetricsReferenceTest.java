package io.tidegate.connect.elasticsearch;

import io.tidegate.connect.elasticsearch.write.ElasticsearchMetrics;
import io.tidegate.connect.testkit.scenarios.MetricsReference;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

final class MetricsReferenceTest {
    @Test
    void thePageShowsTheMetricsAsTheyAre() {
        MetricsReference.check(
                "metrics of the Elasticsearch sink",
                ElasticsearchMetrics.described().stream()
                        .map(metric -> new MetricsReference.Row(metric.name(), metric.unit(), metric.description()))
                        .toList(),
                Path.of("..", "docs", "reference", "metrics.md"));
    }
}
