package io.tidegate.connect.testkit.process;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The options of a server's JVM. It runs on the JDK of this JVM unless {@link #on} names another one.
 *
 * @param heap the maximum heap size, as in {@code -Xmx}
 * @param fast for tests: starts fast with little memory, but runs slower later
 */
public record Jvm(JavaHome java, Optional<String> heap, boolean fast) {
    private static final String HEAP = "512m";
    private static final String FAST_HEAP = "256m";
    private static final String FAST_METASPACE = "128m"; // below it, loading classes causes no collections

    /** What javac has compiled needs no check. An archive of unchecked classes fits only JVMs without this check. */
    static final List<String> WITHOUT_VERIFICATION =
            List.of("-XX:+UnlockDiagnosticVMOptions", "-XX:-BytecodeVerificationRemote");

    public static Jvm ordinary() {
        return new Jvm(JavaHome.current(), Optional.empty(), false);
    }

    public Jvm withHeap(String size) {
        return new Jvm(java, Optional.of(size), fast);
    }

    /** This maximum heap size unless another one is set. */
    public Jvm withUsualHeap(String size) {
        return heap.isPresent() ? this : withHeap(size);
    }

    public Jvm withFastStart() {
        return new Jvm(java, heap, true);
    }

    Jvm on(JavaHome home) {
        return new Jvm(home, heap, fast);
    }

    /**
     * The command that starts the JVM.
     *
     * @param options further options, before the main class
     */
    public List<String> command(String classPath, List<String> options, String mainClass, List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(java.program("java"));
        command.add("-Xmx" + heap.orElse(fast ? FAST_HEAP : HEAP));
        if (fast) {
            command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
            command.add("-XX:MetaspaceSize=" + FAST_METASPACE);
        } else {
            command.add("-Xms" + heap.orElse(HEAP));
        }
        command.add("-Djava.awt.headless=true");
        command.addAll(options);
        command.addAll(List.of("-cp", classPath, mainClass));
        command.addAll(arguments);
        return command;
    }
}
