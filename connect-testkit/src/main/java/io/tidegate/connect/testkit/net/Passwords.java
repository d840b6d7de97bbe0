package io.tidegate.connect.testkit.net;

import java.security.SecureRandom;
import java.util.HexFormat;

/** Random passwords. Other users of the machine can connect to a server but do not know its password. */
public final class Passwords {
    private static final int BYTES = 12;

    private Passwords() {}

    /** A password of 24 hexadecimal digits. */
    public static String random() {
        byte[] bytes = new byte[BYTES];
        new SecureRandom().nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }
}
