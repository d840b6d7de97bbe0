package io.tidegate.connect.elasticsearch.write;

import io.tidegate.connect.common.metrics.Metric;
import io.tidegate.connect.common.time.Clock;
import io.tidegate.connect.common.tls.CertificateExpiry;
import io.tidegate.connect.elasticsearch.client.ConnectionCounts;
import io.tidegate.connect.elasticsearch.settings.FailureClass;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;

/** The metrics that only the Elasticsearch sink has. */
public final class ElasticsearchMetrics {
    private ElasticsearchMetrics() {}

    /** The metrics of an idle task, to list them. */
    public static List<Metric> described() {
        return of(Clock.SYSTEM, new FailureCounts(), () -> ConnectionCounts.NONE, new CertificateExpiry());
    }

    /** The metrics of a task; the clock tells how old a certificate is. */
    public static List<Metric> of(
            Clock clock,
            FailureCounts failures,
            Supplier<ConnectionCounts> connections,
            CertificateExpiry certificates) {
        List<Metric> all = new ArrayList<>();
        all.add(new Metric(
                "bulk-rejections-total",
                "requests",
                "Bulk requests that the server rejected, in whole or in part, because it was overloaded (429).",
                failures::rejections));
        for (FailureClass each : FailureClass.values()) {
            all.add(new Metric(
                    "documents-" + each.code().replace('_', '-') + "-total",
                    "documents",
                    "Failed attempts to write a document: " + each.reason() + ".",
                    () -> failures.of(each)));
        }
        all.addAll(connectionMetrics(connections));
        all.add(new Metric(
                "certificate-days-left",
                "days",
                "Days until the first certificate of a server or the sink expires; NaN without one.",
                () -> certificates
                        .daysLeft(Instant.ofEpochMilli(clock.currentTimeMillis()))
                        .orElse(Double.NaN)));
        return all;
    }

    private static List<Metric> connectionMetrics(Supplier<ConnectionCounts> connections) {
        return List.of(
                connections("http-active", "connections", "Connections in use.", connections, ConnectionCounts::active),
                connections(
                        "http-idle",
                        "connections",
                        "Open connections that are not in use.",
                        connections,
                        ConnectionCounts::idle),
                connections(
                        "http-waiting",
                        "requests",
                        "Requests that wait for a connection.",
                        connections,
                        ConnectionCounts::waiting),
                connections(
                        "http-max",
                        "connections",
                        "Maximum connections that the worker opens.",
                        connections,
                        ConnectionCounts::most));
    }

    private static Metric connections(
            String name,
            String unit,
            String description,
            Supplier<ConnectionCounts> counts,
            ToIntFunction<ConnectionCounts> of) {
        return new Metric(name, unit, description, () -> of.applyAsInt(counts.get()));
    }
}
