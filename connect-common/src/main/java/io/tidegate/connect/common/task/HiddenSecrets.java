package io.tidegate.connect.common.task;

import java.util.regex.Pattern;

/** Removes the secrets that users write into addresses, for responses that others may read. */
final class HiddenSecrets {
    private static final String HIDDEN = "[hidden]";

    /** Parameters of an address such as {@code password=...} and {@code sslpassword=...}. */
    private static final Pattern PARAMETER =
            Pattern.compile("(?i)([?&;,]\\w*(?:passw|secret|token|api_?key)\\w*=)[^&;,]*");

    /** {@code //user:password@host}, also if the password has characters that a URL must not have there. */
    private static final Pattern USER_INFO =
            Pattern.compile("(//(?!\\[)[^/?#@:]*:)(?!\\d+(?:[/,?#]|$))(?:[^\\s,]*|[^/?#@]*)@");

    private HiddenSecrets() {}

    static String in(String text) {
        return USER_INFO
                .matcher(PARAMETER.matcher(text).replaceAll("$1" + HIDDEN))
                .replaceAll("$1" + HIDDEN + "@");
    }
}
