package io.tidegate.connect.common.credentials;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Pattern;
import org.apache.kafka.common.config.types.Password;

/**
 * The secret in a file that something else writes. It is read each time, because a secret is short, a comparison of the
 * file's time could miss a change, and a link may lead to another file than before.
 */
final class FileCredentials implements CredentialsProvider {
    /** Far more than any token. A larger file is another one than the user means. */
    private static final long MOST_BYTES = 64L << 10;

    /** A space at the end belongs to the secret. */
    private static final Pattern LINE_ENDS = Pattern.compile("[\\r\\n]+$");

    private final Path file;
    private final AuthenticationScheme scheme;

    FileCredentials(Path file, AuthenticationScheme scheme) {
        this.file = requireNonNull(file, "file");
        this.scheme = requireNonNull(scheme, "scheme");
    }

    @Override
    public Password password(Login login) throws CredentialsException {
        return new Password(read());
    }

    @Override
    public Map<String, String> headers(HttpCall call) throws CredentialsException {
        return Map.of("Authorization", scheme.header(read()));
    }

    private String read() throws CredentialsException {
        try {
            if (Files.size(file) > MOST_BYTES) {
                throw new CredentialsException(file + " has more than " + MOST_BYTES + " bytes, so it is no secret");
            }
            String secret = LINE_ENDS.matcher(Files.readString(file)).replaceFirst("");
            if (secret.isBlank()) {
                throw new CredentialsException(file + " is empty");
            }
            if (secret.indexOf('\n') >= 0 || secret.indexOf('\r') >= 0) {
                throw new CredentialsException(file + " has several lines, and a secret has one");
            }
            return secret;
        } catch (CredentialsException e) {
            throw e;
        } catch (NoSuchFileException e) {
            throw new CredentialsException(file + " does not exist", e);
        } catch (CharacterCodingException e) {
            throw new CredentialsException(file + " is not text in UTF-8", e);
        } catch (IOException e) {
            throw new CredentialsException(file + " cannot be read: " + e, e);
        }
    }
}
