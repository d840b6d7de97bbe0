package io.tidegate.connect.common.task;

import java.util.regex.Pattern;

/** Addresses without the secrets that users write into them, for answers that others may read. */
final class HiddenSecrets {
    private static final String HIDDEN = "[hidden]";

    /** {@code password=...}, {@code sslpassword=...} and the like, as parameters of an address. */
    private static final Pattern PARAMETER =
            Pattern.compile("(?i)([?&;,]\\w*(?:passw|secret|token|api_?key)\\w*=)[^&;,]*");

    /** {@code //user:password@host}. */
    private static final Pattern USER_INFO = Pattern.compile("(//[^/?#@:]*:)[^/?#@]*@");

    private HiddenSecrets() {}

    static String in(String text) {
        return USER_INFO
                .matcher(PARAMETER.matcher(text).replaceAll("$1" + HIDDEN))
                .replaceAll("$1" + HIDDEN + "@");
    }
}
