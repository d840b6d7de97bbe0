package io.tidegate.connect.tools;

import io.tidegate.connect.cli.ToolException;
import java.io.File;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Starts the program again with more jars on its class path, as a worker has those in a plugin's folder. */
final class Libraries {
    static final String OPTION = "--lib";

    private Libraries() {}

    /**
     * The folders that the arguments name, or else the others.
     *
     * @param others separated as in a class path; empty for none
     */
    static List<Path> folders(String[] args, String others) {
        List<Path> folders = new ArrayList<>();
        for (int i = 0; i < args.length; i++) {
            if (args[i].startsWith(OPTION + "=")) {
                folders.add(Path.of(args[i].substring(OPTION.length() + 1)));
            } else if (args[i].equals(OPTION) && i + 1 < args.length) {
                folders.add(Path.of(args[i + 1]));
            }
        }
        if (folders.isEmpty() && !others.isEmpty()) {
            for (String folder : others.split(File.pathSeparator, -1)) {
                folders.add(Path.of(folder));
            }
        }
        return folders;
    }

    /**
     * Runs the program with the jars of these folders.
     *
     * @return the exit status
     * @throws ToolException if a folder cannot be read, or has no jar
     */
    static int run(List<Path> folders, String[] args) throws ToolException {
        try (URLClassLoader loader = new URLClassLoader(classPath(folders), ClassLoader.getPlatformClassLoader())) {
            Thread.currentThread().setContextClassLoader(loader);
            return (int) loader.loadClass(Tidegate.class.getName())
                    .getDeclaredMethod("run", String[].class)
                    .invoke(null, (Object) args);
        } catch (InvocationTargetException e) {
            throw new IllegalStateException(e.getCause());
        } catch (IOException | ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private static URL[] classPath(List<Path> folders) throws ToolException, MalformedURLException {
        List<URL> urls = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            urls.add(Path.of(entry).toUri().toURL());
        }
        for (Path folder : folders) {
            for (Path jar : jars(folder)) {
                urls.add(jar.toUri().toURL());
            }
        }
        return urls.toArray(URL[]::new);
    }

    private static List<Path> jars(Path folder) throws ToolException {
        List<Path> jars = new ArrayList<>();
        try (DirectoryStream<Path> found = Files.newDirectoryStream(folder, "*.jar")) {
            found.forEach(jars::add);
        } catch (IOException e) {
            throw new ToolException(OPTION + ": cannot read the folder " + folder + ": " + e, e);
        }
        if (jars.isEmpty()) {
            throw new ToolException(OPTION + ": the folder " + folder + " has no jars");
        }
        Collections.sort(jars);
        return jars;
    }
}
