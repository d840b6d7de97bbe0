package io.tidegate.connect.testkit.postgres;

import io.tidegate.connect.testkit.process.Commands;
import io.tidegate.connect.testkit.process.ServerException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The user that runs PostgreSQL, which refuses to run as root. In a separate user namespace, root
 * appears to it as nobody and still owns its files. Where namespaces are forbidden, the server runs as the user nobody.
 */
enum PostgresUser {
    SAME,
    NAMESPACE,
    NOBODY;

    private static final PostgresUser CURRENT = choose();

    static PostgresUser current() {
        return CURRENT;
    }

    private static PostgresUser choose() {
        if (!System.getProperty("user.name").equals("root")) {
            return SAME;
        }
        for (PostgresUser candidate : List.of(NAMESPACE, NOBODY)) {
            if (Commands.succeeds(candidate.command(List.of("true")))) {
                return candidate;
            }
        }
        throw new ServerException("PostgreSQL cannot run as root, and neither \"unshare --user\" nor \"setpriv\""
                + " works on this machine: install util-linux or use another user");
    }

    List<String> command(List<String> command) {
        List<String> full = new ArrayList<>();
        switch (this) {
            case SAME -> {}
            case NAMESPACE -> full.addAll(List.of("unshare", "--user", "--"));
            case NOBODY -> full.addAll(List.of("setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups", "--"));
        }
        full.addAll(command);
        return full;
    }

    /** Lets the server reach its files through a folder that another user owns. */
    void openFolder(Path folder) {
        if (this != NOBODY) {
            return;
        }
        try {
            Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx--x--x"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Makes the server's user the owner of a tree of files. */
    void own(Path folder) {
        if (this != NOBODY) {
            return;
        }
        UserPrincipalLookupService users = folder.getFileSystem().getUserPrincipalLookupService();
        try (Stream<Path> files = Files.walk(folder)) {
            UserPrincipal nobody = users.lookupPrincipalByName("nobody");
            for (Path file : files.toList()) {
                Files.getFileAttributeView(file, PosixFileAttributeView.class).setOwner(nobody);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
