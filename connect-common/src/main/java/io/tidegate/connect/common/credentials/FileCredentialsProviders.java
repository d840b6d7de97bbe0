package io.tidegate.connect.common.credentials;

import io.tidegate.connect.common.settings.EnumSetting;
import io.tidegate.connect.common.settings.Problem;
import io.tidegate.connect.common.time.Clock;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The provider {@code file}. */
public final class FileCredentialsProviders implements CredentialsProviders {
    @Override
    public String name() {
        return CredentialsSettings.FILE;
    }

    /** A file that does not exist yet is no problem: what writes it may not have started. */
    @Override
    public List<Problem> problems(CredentialsSettings settings) {
        Optional<String> path = settings.option(CredentialsSettings.FILE_PATH);
        if (path.isEmpty()) {
            return List.of(new Problem(CredentialsSettings.FILE_PATH, "is missing: `file` needs it"));
        }
        try {
            Path file = Path.of(path.get());
            return Problem.of(
                    Problem.when(
                            Files.exists(file) && !Files.isReadable(file),
                            CredentialsSettings.FILE_PATH,
                            "is a file that this worker may not read"),
                    Problem.when(
                            !isScheme(settings.option(CredentialsSettings.FILE_SCHEME)),
                            CredentialsSettings.FILE_SCHEME,
                            "is none of bearer, api_key and basic"));
        } catch (InvalidPathException e) {
            return List.of(new Problem(CredentialsSettings.FILE_PATH, "is no path on this worker"));
        }
    }

    /** PostgreSQL's sink does not define the setting, so that nothing else checks its value. */
    private static boolean isScheme(Optional<String> text) {
        return text.stream().allMatch(name -> Stream.of(AuthenticationScheme.values())
                .map(EnumSetting::text)
                .anyMatch(name::equalsIgnoreCase));
    }

    @Override
    public CredentialsProvider open(CredentialsSettings settings, Clock clock) {
        AuthenticationScheme scheme = settings.option(CredentialsSettings.FILE_SCHEME)
                .map(text -> EnumSetting.parse(AuthenticationScheme.class, text))
                .orElse(AuthenticationScheme.BEARER);
        return new FileCredentials(
                Path.of(settings.option(CredentialsSettings.FILE_PATH).orElseThrow()), scheme);
    }
}
