package io.tidegate.connect.tools.output;

import java.util.regex.Pattern;

/** Names of headers, columns and fields whose values may be credentials, and are not printed. Pure. */
public final class SecretNames {
    /** What is printed in place of such a value. */
    public static final String HIDDEN = "(hidden)";

    private static final Pattern SECRET =
            Pattern.compile("(?is).*(authorization|password|passwd|secret|token|cookie|api.?key|credential).*");

    private SecretNames() {}

    public static boolean has(String name) {
        return SECRET.matcher(name).matches();
    }
}
