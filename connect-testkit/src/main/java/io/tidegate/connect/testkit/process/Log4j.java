package io.tidegate.connect.testkit.process;

import java.nio.file.Path;

/** Log4j configurations that write INFO and above to standard output, which goes to the server's log. */
public final class Log4j {
    private static final String CONFIG = """
            status = error
            appender.out.type = Console
            appender.out.name = out
            appender.out.layout.type = PatternLayout
            appender.out.layout.pattern = %s
            rootLogger.level = info
            rootLogger.appenderRef.out.ref = out
            """;

    private Log4j() {}

    public static void write(Path file, String pattern) {
        Folders.write(file, CONFIG.formatted(pattern));
    }

    /** Writes the configuration into the folder and returns the JVM option that names it. */
    public static String option(Path folder, String pattern) {
        Path file = folder.resolve("log4j2.properties");
        write(file, pattern);
        return "-Dlog4j2.configurationFile=" + file;
    }
}
