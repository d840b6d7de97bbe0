package io.tidegate.connect.testkit.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ClassArchiveTest {
    private static final String WRITE = "-XX:ArchiveClassesAtExit=";
    private static final String USE = "-XX:SharedArchiveFile=";
    private static final String UNVERIFIED = "-XX:-BytecodeVerificationRemote";

    @TempDir
    private Path folder;

    private List<String> command(Jvm jvm) throws IOException {
        Path jar = folder.resolve("server.jar");
        if (!Files.exists(jar)) {
            Files.createFile(jar);
        }
        return ChildServer.Launch.of(jvm, jar.toString(), List.of(), "Main", List.of(), Map.of())
                .command();
    }

    private static boolean has(List<String> command, String option) {
        return command.stream().anyMatch(each -> each.startsWith(option));
    }

    /** Plays the JVM that was started with this command. */
    private static void end(List<String> command, int code) throws IOException {
        String option = command.stream()
                .filter(each -> each.startsWith(WRITE))
                .findFirst()
                .orElseThrow();
        Files.createFile(Path.of(option.substring(WRITE.length())));
        ClassArchive.keep(command, code);
    }

    @Test
    void oneJvmChecksItsClassesAndWritesThemAndTheNextOnesUseThemUnchecked() throws IOException {
        Jvm fast = Jvm.ordinary().withFastStart();
        List<String> first = command(fast);
        assertThat(has(first, WRITE)).isTrue();
        assertThat(first).doesNotContain(UNVERIFIED);

        List<String> meanwhile = command(fast);
        assertThat(has(meanwhile, WRITE) || has(meanwhile, USE)).isFalse();
        assertThat(meanwhile).contains(UNVERIFIED);

        end(first, 0);
        List<String> later = command(fast);
        assertThat(has(later, USE)).isTrue();
        assertThat(later).contains(UNVERIFIED);
    }

    @Test
    void anotherJvmWritesWhatAKilledOneDidNot() throws IOException {
        Jvm fast = Jvm.ordinary().withFastStart();
        end(command(fast), 137);

        assertThat(has(command(fast), WRITE)).isTrue();
    }

    @Test
    void doesNotWriteWhatAServerOfAnotherJvmWrites() throws Exception {
        Jvm fast = Jvm.ordinary().withFastStart();
        List<String> first = command(fast);
        String written = first.stream()
                .filter(each -> each.startsWith(WRITE))
                .findFirst()
                .orElseThrow();
        Path lock = Path.of(written.substring(WRITE.length(), written.lastIndexOf('.')) + ".recording");
        ClassArchive.keep(first, 137);
        Process other = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Locking.class.getName(),
                        lock.toString())
                .start();
        try {
            assertThat(other.getInputStream().read()).isEqualTo('L');
            assertThat(has(command(fast), WRITE)).isFalse();
        } finally {
            other.destroyForcibly().waitFor();
        }
        assertThat(has(command(fast), WRITE)).isTrue();
    }

    /** Another JVM. */
    static final class Locking {
        private Locking() {}

        public static void main(String[] args) throws Exception {
            try (FileChannel file =
                            FileChannel.open(Path.of(args[0]), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                    FileLock lock = file.lock()) {
                System.out.print(lock.isValid() ? "L" : "-");
                System.out.flush();
                new CountDownLatch(1).await();
            }
        }
    }

    @Test
    void anOrdinaryJvmChecksItsClasses() throws IOException {
        assertThat(command(Jvm.ordinary())).doesNotContain(UNVERIFIED);
    }
}
