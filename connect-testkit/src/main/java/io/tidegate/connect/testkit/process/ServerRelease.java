package io.tidegate.connect.testkit.process;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;

/**
 * A release of a server of which there are several, each with its own module.
 *
 * @param module the name of the module's class path, see {@link ServerClassPath}
 * @param java the oldest Java that runs it; where it is newer than the Java that this project is built for, the module
 *     holds the launcher's sources
 */
public record ServerRelease(String title, String module, int java) {
    private static final int JAVA_OF_THE_BUILD = 17;

    /** The release that a system property asks for, by the number of its constant: {@code 3.9} for V3_9. */
    public static <E extends Enum<E>> E asked(String property, Class<E> releases, E ordinary) {
        String asked = System.getProperty(property);
        if (asked == null) {
            return ordinary;
        }
        E[] all = releases.getEnumConstants();
        return Arrays.stream(all)
                .filter(release -> release.name().equals("V" + asked.replace('.', '_')))
                .findFirst()
                .orElseThrow(() -> new ServerException(
                        "-D%s=%s names none of %s".formatted(property, asked, Arrays.toString(all))));
    }

    /** Why this release cannot be started on this machine, or nothing if it can. */
    public Optional<String> obstacle() {
        return JavaHome.atLeast(java).isPresent()
                ? Optional.empty()
                : Optional.of(title + " cannot run: " + JavaHome.notFound(java));
    }

    /**
     * The same JVM on a JDK that runs this release.
     *
     * @throws ServerException if there is none on this machine
     */
    public Jvm on(Jvm jvm) {
        return jvm.on(home());
    }

    /**
     * The first number of that JDK's version.
     *
     * @throws ServerException if there is none on this machine
     */
    public int javaFeature() {
        return home().feature();
    }

    JavaHome home() {
        return JavaHome.atLeast(java)
                .orElseThrow(() -> new ServerException(title + " cannot run: " + JavaHome.notFound(java)));
    }

    /**
     * The class path of the server.
     *
     * @param folder of the server: where its launcher may be compiled to
     */
    public String classPath(Path folder, Path log) {
        String classPath = ServerClassPath.of(module);
        return java > JAVA_OF_THE_BUILD ? ServerSources.compile(classPath, home(), folder, log) : classPath;
    }
}
