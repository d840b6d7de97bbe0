package io.tidegate.connect.bench.results;

import java.util.Arrays;
import java.util.Optional;

/** The values that a run measures. The keys, with units last, are part of the format of {@code results.json}. */
public enum Measure {
    OFFERED("offered_records_per_s", "offered rate", "records/s", Better.NEITHER),
    ACCEPTED("accepted_records_per_s", "accepted rate", "records/s", Better.NEITHER),
    STORED("stored_records_per_s", "stored rate", "records/s", Better.NEITHER),
    LATENCY_P50("latency_p50_ms", "latency, median", "ms", Better.LOWER),
    LATENCY_P90("latency_p90_ms", "latency, 90 %", "ms", Better.LOWER),
    LATENCY_P99("latency_p99_ms", "latency, 99 %", "ms", Better.LOWER),
    LATENCY_P999("latency_p999_ms", "latency, 99.9 %", "ms", Better.LOWER),
    LATENCY_MAX("latency_max_ms", "latency, highest", "ms", Better.LOWER),
    GENERATOR_LAG("generator_lag_max_ms", "highest generator lag", "ms", Better.NEITHER),
    STEADY_RATE("steady_rate_records_per_s", "steady rate", "records/s", Better.HIGHER),
    RATE("rate_records_per_s", "rate", "records/s", Better.HIGHER),
    MEGABYTES("mb_per_s", "data rate", "MB/s", Better.HIGHER),
    WORKER_CPU("worker_cpu_s_per_million", "worker CPU", "CPU s per million records", Better.LOWER),
    BROKER_CPU("broker_cpu_s_per_million", "broker CPU", "CPU s per million records", Better.LOWER),
    SERVER_CPU("server_cpu_s_per_million", "server CPU", "CPU s per million records", Better.LOWER),
    BUSY("cpu_busy_percent", "CPU use of the machine", "%", Better.NEITHER),
    OTHER_CPU("other_cpu_percent", "CPU use of other processes", "%", Better.NEITHER),
    SECONDS("seconds", "first to last record", "s", Better.NEITHER),
    START_SECONDS("start_s", "connector created to first record", "s", Better.NEITHER),
    REQUEST_RECORDS("request_records_avg", "records per request or commit", "records", Better.NEITHER),
    WRITE_P50("write_latency_p50_ms", "latency of a request, median", "ms", Better.LOWER),
    WRITE_P99("write_latency_p99_ms", "latency of a request, 99 %", "ms", Better.LOWER),
    POLL_RECORDS("poll_records_avg", "records per poll", "records", Better.NEITHER),
    CONNECTIONS("connections_max", "connections in use", "connections", Better.NEITHER),
    CONNECTIONS_LEFT("connections_left", "connections left behind", "connections", Better.LOWER),
    HEAP("heap_max_mb", "highest worker heap", "MB", Better.NEITHER),
    GC_MILLIS("gc_ms", "worker garbage collection", "ms", Better.NEITHER),
    GC_COUNT("gc_count", "worker garbage collections", "collections", Better.NEITHER),
    TASKS_MOST("worker_tasks_max", "tasks on the fullest worker", "tasks", Better.NEITHER),
    TASKS_FEWEST("worker_tasks_min", "tasks on the emptiest worker", "tasks", Better.NEITHER),
    RETRIES("retries", "retries", "retries", Better.LOWER),
    STORED_BYTES("stored_bytes_per_record", "size on disk", "bytes per record", Better.LOWER),
    NANOS("ns_per_record", "time per record or call", "ns", Better.LOWER),
    ALLOCATED("allocated_bytes_per_record", "heap allocated per record or call", "bytes", Better.LOWER);

    /** Whether a higher or a lower value is an improvement. */
    public enum Better {
        HIGHER,
        LOWER,
        NEITHER
    }

    private final String key;
    private final String title;
    private final String unit;
    private final Better better;

    Measure(String key, String title, String unit, Better better) {
        this.key = key;
        this.title = title;
        this.unit = unit;
        this.better = better;
    }

    public String key() {
        return key;
    }

    public String title() {
        return title;
    }

    public String unit() {
        return unit;
    }

    public Better better() {
        return better;
    }

    /** The measure with that key, if this version knows it. */
    public static Optional<Measure> of(String key) {
        return Arrays.stream(values())
                .filter(measure -> measure.key.equals(key))
                .findFirst();
    }
}
