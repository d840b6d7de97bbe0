package io.tidegate.connect.tools;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.cli.ToolException;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Where Kafka, Connect and jars are if the command line does not say it: what a variable of the environment says, or else
 * the file of a context. A context is a properties file with the names of options.
 */
final class Context implements IDefaultValueProvider {
    static final String OPTION = "--context";

    /** Options of places and secrets. What a command does is only on its command line. */
    private static final List<String> OPTIONS = List.of(
            "connect",
            "connect-user",
            "connect-password",
            "worker",
            "bootstrap-servers",
            "client-properties",
            "plugin-path",
            "lib");

    private static final String ENDING = ".properties";

    private final Map<String, String> values;

    private Context(Map<String, String> values) {
        this.values = Map.copyOf(values);
    }

    /**
     * Reads the context that the arguments or the environment name, if one of them does.
     *
     * @throws ToolException if there is no such context, if it has an unknown option, or if others may read its password
     */
    static Context of(String[] args, Map<String, String> environment) throws ToolException {
        Map<String, String> values = new TreeMap<>();
        Optional<String> name =
                argument(args).or(() -> Optional.ofNullable(environment.get(variable(OPTION.substring(2)))));
        if (name.isPresent() && !name.get().isEmpty()) {
            values.putAll(read(folder(environment), name.get()));
        }
        for (String option : OPTIONS) {
            String value = environment.get(variable(option));
            if (value != null) {
                values.put(option, value);
            }
        }
        return new Context(values);
    }

    private static Optional<String> argument(String[] args) {
        for (int i = 0; i < args.length; i++) {
            if (args[i].startsWith(OPTION + "=")) {
                return Optional.of(args[i].substring(OPTION.length() + 1));
            }
            if (args[i].equals(OPTION) && i + 1 < args.length) {
                return Optional.of(args[i + 1]);
            }
        }
        return Optional.empty();
    }

    private static String variable(String option) {
        return "TIDEGATE_" + option.replace('-', '_').toUpperCase(Locale.ROOT);
    }

    private static Path folder(Map<String, String> environment) {
        String configuration = environment.getOrDefault("XDG_CONFIG_HOME", "");
        return (configuration.isEmpty()
                        ? Path.of(environment.getOrDefault("HOME", System.getProperty("user.home")), ".config")
                        : Path.of(configuration))
                .resolve("tidegate");
    }

    private static Map<String, String> read(Path folder, String name) throws ToolException {
        Path file = folder.resolve(name + ENDING);
        if (!Files.exists(file)) {
            throw new ToolException("there is no context " + name + ": the file " + file + " is missing. There are "
                    + (contexts(folder).isEmpty() ? "none" : String.join(", ", contexts(folder))));
        }
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
            properties.load(reader);
        } catch (IOException | IllegalArgumentException e) {
            throw new ToolException("cannot read the context " + file + ": " + e.getMessage(), e);
        }
        Map<String, String> values = new TreeMap<>();
        for (String option : properties.stringPropertyNames()) {
            if (!OPTIONS.contains(option)) {
                throw new ToolException(file + " has an unknown option " + option + ": a context may have "
                        + String.join(", ", OPTIONS));
            }
            values.put(option, properties.getProperty(option).strip());
        }
        if (values.containsKey("connect-password")) {
            requirePrivate(file);
        }
        return values;
    }

    private static Set<String> contexts(Path folder) throws ToolException {
        Set<String> names = new TreeSet<>();
        if (Files.isDirectory(folder)) {
            try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*" + ENDING)) {
                files.forEach(file -> names.add(file.getFileName().toString().replace(ENDING, "")));
            } catch (IOException e) {
                throw new ToolException("cannot read the folder " + folder + ": " + e.getMessage(), e);
            }
        }
        return names;
    }

    private static void requirePrivate(Path file) throws ToolException {
        try {
            Set<PosixFilePermission> others = Files.getPosixFilePermissions(file);
            others.retainAll(Set.of(PosixFilePermission.GROUP_READ, PosixFilePermission.OTHERS_READ));
            if (!others.isEmpty()) {
                throw new ToolException("others may read the password in " + file + ": use chmod 600");
            }
        } catch (UnsupportedOperationException e) {
            // This file system has no such permissions.
        } catch (IOException e) {
            throw new ToolException("cannot read the context " + file + ": " + e.getMessage(), e);
        }
    }

    /** The value of an option without its dashes; empty if there is none. */
    String value(String option) {
        return requireNonNull(values.getOrDefault(option, ""));
    }

    @Override
    public String defaultValue(ArgSpec argument) {
        return argument instanceof OptionSpec option
                ? values.get(option.longestName().substring(2))
                : null;
    }
}
