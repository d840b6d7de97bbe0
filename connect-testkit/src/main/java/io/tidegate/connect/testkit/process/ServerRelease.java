package io.tidegate.connect.testkit.process;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;

/**
 * A release of a server that has several releases, each with a module.
 *
 * @param module the name of the module's class path, see {@link ServerClassPath}
 * @param java the oldest Java version that runs it; if it is newer than the Java version of this project, the module
 *     contains the launcher's sources
 */
public record ServerRelease(String title, String module, int java) {
    private static final int JAVA_OF_THE_BUILD = 17;

    /** The release that a system property names: {@code 3.9} means the constant V3_9. */
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
                        "-D%s=%s is not one of %s".formatted(property, asked, Arrays.toString(all))));
    }

    /** The reason why this release cannot run on this machine, or empty if it can. */
    public Optional<String> obstacle() {
        return JavaHome.atLeast(java).isPresent()
                ? Optional.empty()
                : Optional.of(title + " cannot run: " + JavaHome.notFound(java));
    }

    /**
     * The same options on a JDK that runs this release.
     *
     * @throws ServerException if this machine has no such JDK
     */
    public Jvm on(Jvm jvm) {
        return jvm.on(home());
    }

    /**
     * The first number of that JDK's version.
     *
     * @throws ServerException if this machine has no such JDK
     */
    public int javaFeature() {
        return home().feature();
    }

    JavaHome home() {
        return JavaHome.atLeast(java)
                .orElseThrow(() -> new ServerException(title + " cannot run: " + JavaHome.notFound(java)));
    }

    /**
     * Returns the class path of the server.
     *
     * @param folder the server's folder; the launcher is compiled into it if necessary
     */
    public String classPath(Path folder, Path log) {
        String classPath = ServerClassPath.of(module);
        return java > JAVA_OF_THE_BUILD ? ServerSources.compile(classPath, home(), folder, log) : classPath;
    }
}
