package io.tidegate.connect.bench.workload;

import io.tidegate.connect.bench.results.Figures;
import io.tidegate.connect.bench.results.Sample;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * The slowest records, and what happened meanwhile: lines of the servers' logs and the use of CPU. Records that
 * became visible within {@value #GAP_MICROS} microseconds of each other are one episode.
 *
 * @param log the lines of all servers
 * @param zeroMicros the time of the samples' second 0, in microseconds since 1970
 */
record Tail(List<ServerLog.Line> log, List<Sample> samples, double zeroMicros) {
    private static final long GAP_MICROS = 200_000;
    private static final int MAX_LINES = 15;
    private static final int MAX_LENGTH = 200;
    private static final DateTimeFormatter CLOCK = DateTimeFormatter.ofPattern("HH:mm:ss.SSS");

    /** Describes the episodes, each with a line for its records, one for the CPU, and those of the logs. */
    List<String> of(String phase, List<Latencies.Row> slowest) {
        List<String> lines = new ArrayList<>();
        int from = 0;
        int episodes = 0;
        for (int i = 1; i <= slowest.size(); i++) {
            if (i == slowest.size()
                    || slowest.get(i).visible() - slowest.get(i - 1).visible() > GAP_MICROS) {
                lines.addAll(episode(slowest.subList(from, i)));
                episodes++;
                from = i;
            }
        }
        lines.add(
                0,
                Figures.format("%s: the slowest 1 %%, %,d records, in %d episodes", phase, slowest.size(), episodes));
        return lines;
    }

    private List<String> episode(List<Latencies.Row> records) {
        Latencies.Row worst = records.stream()
                .max(Comparator.comparingLong(Latencies.Row::latency))
                .orElseThrow();
        long from = records.stream().mapToLong(Latencies.Row::due).min().orElseThrow();
        long to = records.get(records.size() - 1).visible();
        List<String> lines = new ArrayList<>();
        lines.add(Figures.format(
                "  %s-%s: %,d records; the slowest took %.0f ms until its insert and %.0f ms until it was visible",
                clock(from),
                clock(to),
                records.size(),
                (worst.inserted() - worst.due()) / 1e3,
                (worst.visible() - worst.inserted()) / 1e3));
        lines.add(Figures.format(
                "    CPU in %% of one core: worker %.0f, broker %.0f, server %.0f, other processes %.0f",
                use(Sample::workerCpu, from, to),
                use(Sample::brokerCpu, from, to),
                use(Sample::serverCpu, from, to),
                use(Sample::othersCpu, from, to)));
        log.stream()
                .filter(line -> line.micros() >= from && line.micros() <= to)
                .sorted(Comparator.comparingLong(ServerLog.Line::micros))
                .limit(MAX_LINES)
                .map(line -> "    " + clock(line.micros()) + " " + line.server() + ": " + shortened(line.text()))
                .forEach(lines::add);
        return lines;
    }

    /** The rise of a counter between the last sample before and the first one after, in per cent of the time. */
    private double use(ToDoubleFunction<Sample> counter, long from, long to) {
        Sample first = samples.get(0);
        Sample last = samples.get(samples.size() - 1);
        for (Sample sample : samples) {
            double micros = zeroMicros + sample.seconds() * 1e6;
            first = micros <= from ? sample : first;
            last = micros >= to && sample.seconds() < last.seconds() ? sample : last;
        }
        double seconds = last.seconds() - first.seconds();
        return seconds > 0 ? 100 * (counter.applyAsDouble(last) - counter.applyAsDouble(first)) / seconds : 0;
    }

    private static String clock(long micros) {
        return CLOCK.format(Instant.EPOCH.plus(micros, ChronoUnit.MICROS).atZone(ZoneId.systemDefault()));
    }

    private static String shortened(String text) {
        return text.length() <= MAX_LENGTH ? text : text.substring(0, MAX_LENGTH) + "..";
    }
}
