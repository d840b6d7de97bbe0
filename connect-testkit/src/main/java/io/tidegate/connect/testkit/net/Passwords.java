package io.tidegate.connect.testkit.net;

import java.security.SecureRandom;
import java.util.HexFormat;

/** Passwords of servers that nobody but their starter shall reach: other users of the machine can connect. */
public final class Passwords {
    private static final int BYTES = 12;

    private Passwords() {}

    /** 24 hexadecimal digits. */
    public static String random() {
        byte[] bytes = new byte[BYTES];
        new SecureRandom().nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }
}
