package io.tidegate.connect.testkit.process;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Compiles the launcher of a server whose jars need a newer JDK than the one that builds this project. */
final class ServerSources {
    private static final Duration AT_MOST = Duration.ofMinutes(2);

    private ServerSources() {}

    /**
     * @param classPath of the server; its first entry, a jar or a folder, contains the sources
     * @param folder the server's folder; the classes are written below it
     * @return the class path, with the compiled classes first
     * @throws ServerException if the compilation fails; the log has the compiler's messages
     */
    static String compile(String classPath, JavaHome java, Path folder, Path log) {
        Path sources = folder.resolve("launcher-sources");
        Path classes = Folders.create(folder.resolve("launcher-classes"));
        Path module = Path.of(classPath.substring(0, classPath.indexOf(File.pathSeparatorChar)));
        List<String> command = new ArrayList<>(
                List.of(java.program("javac"), "-proc:none", "-nowarn", "-d", classes.toString(), "-cp", classPath));
        copy(module, sources).forEach(source -> command.add(source.toString()));
        Commands.run(command, folder, log, AT_MOST);
        return classes + File.pathSeparator + classPath;
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
