package io.tidegate.connect.bench.results;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Describes the machine and the code of a measurement, for later readers. Unknown values are left out. */
public final class Environment {
    private static final int GIT_SECONDS = 10;

    private Environment() {}

    /**
     * Asks the operating system, the JVM and git.
     *
     * @param root the folder of the checkout
     */
    public static Map<String, String> of(Path root) throws InterruptedException {
        Map<String, String> all = new LinkedHashMap<>();
        all.put("processor", processor());
        all.put("processors", Integer.toString(Runtime.getRuntime().availableProcessors()));
        OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        all.put("memory_gb", Long.toString(Math.round(system.getTotalMemorySize() / 1e9)));
        all.put("system", System.getProperty("os.name") + " " + System.getProperty("os.version"));
        all.put("java", System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version"));
        all.put("commit", git(root, "rev-parse", "--short=12", "HEAD"));
        String changes = git(root, "diff", "--no-ext-diff", "--binary", "HEAD");
        if (!changes.isEmpty()) {
            all.put("uncommitted_changes", Integer.toHexString(changes.hashCode()));
        }
        all.values().removeIf(String::isEmpty);
        return all;
    }

    private static String processor() {
        try {
            return Files.readAllLines(Path.of("/proc/cpuinfo")).stream()
                    .filter(line -> line.startsWith("model name"))
                    .map(line -> line.replaceFirst("^[^:]*: *", ""))
                    .findFirst()
                    .orElse("");
        } catch (IOException e) {
            return "";
        }
    }

    private static String git(Path root, String... arguments) throws InterruptedException {
        List<String> command = new ArrayList<>(List.of("git", "-C", root.toString()));
        command.addAll(List.of(arguments));
        try {
            Process git = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String output = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return git.waitFor(GIT_SECONDS, TimeUnit.SECONDS) && git.exitValue() == 0 ? output.strip() : "";
        } catch (IOException e) {
            return "";
        }
    }
}
