package io.tidegate.connect.bench.fleet;

import io.tidegate.connect.testkit.kafka.ConnectWorker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A worker's process.
 *
 * @param megabytes its resident memory
 * @param names how many threads it has of each name, without the names' numbers
 */
record Footprint(long megabytes, Map<String, Integer> names) {
    static Footprint of(ConnectWorker worker) throws IOException {
        Path folder = Path.of("/proc/" + worker.pid());
        long kilobytes;
        try (Stream<String> lines = Files.lines(folder.resolve("status"))) {
            kilobytes = lines.filter(line -> line.startsWith("VmRSS:"))
                    .map(line -> line.replaceAll("[^0-9]", ""))
                    .mapToLong(Long::parseLong)
                    .sum();
        }
        Map<String, Integer> names = new TreeMap<>();
        try (Stream<Path> threads = Files.list(folder.resolve("task"))) {
            for (Path thread : threads.toList()) {
                String name = Files.readString(thread.resolve("comm")).strip();
                names.merge(name.replaceAll("[0-9]+", "N"), 1, Integer::sum);
            }
        }
        return new Footprint(kilobytes >> 10, names);
    }

    int threads() {
        return names.values().stream().mapToInt(Integer::intValue).sum();
    }

    /** The names that at least so many threads have. */
    Map<String, Integer> manyThreads(int least) {
        Map<String, Integer> many = new TreeMap<>(names);
        many.values().removeIf(count -> count < least);
        return many;
    }
}
