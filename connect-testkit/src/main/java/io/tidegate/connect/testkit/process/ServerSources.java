package io.tidegate.connect.testkit.process;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Compiles the launcher of a server whose jars need a newer JDK than the one that builds this project. */
final class ServerSources {
    private static final Duration AT_MOST = Duration.ofMinutes(2);

    private ServerSources() {}

    /**
     * Compiles once for all servers of a module: beside its jar, where a {@link ClassArchive} finds the classes. Without a
     * jar they are compiled for each server.
     *
     * @param classPath of the server; its first entry, a jar or a folder, contains the sources
     * @param folder the server's folder; the classes are written below it first
     * @return the class path, with the compiled classes first
     * @throws ServerException if the compilation fails; the log has the compiler's messages
     */
    static String compile(String classPath, JavaHome java, Path folder, Path log) {
        Path module = Path.of(classPath.substring(0, classPath.indexOf(File.pathSeparatorChar)));
        Path launcher = module.resolveSibling(module.getFileName() + ".launcher-" + java.feature() + ".jar");
        boolean isKept = Files.isRegularFile(module) && Files.isWritable(module.getParent());
        if (isKept && isNewer(launcher, module)) {
            return launcher + File.pathSeparator + classPath;
        }
        Path sources = folder.resolve("launcher-sources");
        Path classes = Folders.create(folder.resolve("launcher-classes"));
        List<String> command = new ArrayList<>(
                List.of(java.program("javac"), "-proc:none", "-nowarn", "-d", classes.toString(), "-cp", classPath));
        copy(module, sources).forEach(source -> command.add(source.toString()));
        Commands.run(command, folder, log, AT_MOST);
        if (!isKept) {
            return classes + File.pathSeparator + classPath;
        }
        Path made = launcher.resolveSibling(
                launcher.getFileName() + "." + ProcessHandle.current().pid());
        Commands.run(
                List.of(java.program("jar"), "--create", "--file", made.toString(), "-C", classes.toString(), "."),
                folder,
                log,
                AT_MOST);
        try {
            Files.setLastModifiedTime(made, Files.getLastModifiedTime(module)); // an archive knows the jar by its time
            Files.move(made, launcher, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return launcher + File.pathSeparator + classPath;
    }

    private static boolean isNewer(Path file, Path other) {
        try {
            return Files.exists(file)
                    && Files.getLastModifiedTime(file).compareTo(Files.getLastModifiedTime(other)) >= 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<Path> copy(Path module, Path target) {
        try {
            if (Files.isDirectory(module)) {
                return copyTree(module, target);
            }
            try (FileSystem jar = FileSystems.newFileSystem(module)) {
                return copyTree(jar.getPath("/"), target);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<Path> copyTree(Path root, Path target) throws IOException {
        List<Path> copies = new ArrayList<>();
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file :
                    (Iterable<Path>) files.filter(path -> path.toString().endsWith(".java"))::iterator) {
                Path copy = target.resolve(root.relativize(file).toString());
                Files.createDirectories(copy.getParent());
                copies.add(Files.write(copy, Files.readAllBytes(file)));
            }
        }
        return copies;
    }
}
