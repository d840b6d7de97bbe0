package io.tidegate.connect.common.task;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/** The version that the build wrote into a plugin. */
public final class Version {
    private Version() {}

    /**
     * Reads {@code version.properties} from the package of this class.
     *
     * @throws IllegalStateException when the build left it out: a plugin without a version breaks Connect's plugin list
     */
    public static String of(Class<?> plugin) {
        try (InputStream resource = plugin.getResourceAsStream("version.properties")) {
            if (resource == null) {
                throw new IllegalStateException("no version.properties beside " + plugin.getName());
            }
            Properties properties = new Properties();
            properties.load(resource);
            String version = properties.getProperty("version", "");
            if (version.isEmpty()) {
                throw new IllegalStateException("version.properties beside " + plugin.getName() + " names no version");
            }
            return version;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
