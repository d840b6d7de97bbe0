package io.tidegate.connect.jsonb.write;

import io.tidegate.connect.common.value.ByteSlice;
import io.tidegate.connect.common.value.JsonCursor;
import io.tidegate.connect.common.value.RefusedException;
import io.tidegate.connect.jsonb.client.SqlState;
import io.tidegate.connect.jsonb.row.UnstorableCharacters;
import io.tidegate.connect.jsonb.settings.ValueSettings;

/**
 * Checks one text as PostgreSQL does: the encoding, JSON (RFC 8259), and what {@code jsonb} cannot store. It is never
 * stricter than the server, which also limits depth and numbers. Sources: PostgreSQL documentation, "JSON Types", and
 * {@code jsonapi.c}.
 */
public final class JsonCheck {
    private static final int FIRST_DIGIT = 2; // of an escape, after the backslash and u

    private JsonCheck() {}

    /**
     * Checks what every text type requires.
     *
     * @throws RefusedException if the server would not accept it
     */
    static void text(ByteSlice text) {
        int at = UnstorableCharacters.first(text, false);
        if (at < text.to()) {
            String fault = text.array()[at] == 0 ? "holds a NUL" : "is not UTF-8";
            throw unstorable(SqlState.NOT_IN_REPERTOIRE, fault, at - text.from());
        }
    }

    /**
     * Checks what {@code json} requires.
     *
     * @throws RefusedException if the server would not accept it
     */
    static void json(ByteSlice text) {
        text(text);
        try {
            new JsonCursor().check(text);
        } catch (RefusedException e) {
            throw refused(SqlState.INVALID_TEXT, e.getMessage());
        }
    }

    /**
     * Checks what {@code jsonb} requires.
     *
     * @throws RefusedException if the server would not accept it
     */
    public static void jsonb(ByteSlice text) {
        json(text);
        int at = UnstorableCharacters.first(text, true);
        if (at < text.to()) {
            boolean isNul = text.array()[at + FIRST_DIGIT] == '0';
            throw unstorable(
                    isNul ? SqlState.UNTRANSLATABLE_CHARACTER : SqlState.INVALID_TEXT,
                    (isNul ? "holds \\u0000" : "holds half a surrogate pair") + ", and jsonb cannot",
                    at - text.from());
        }
    }

    private static RefusedException unstorable(String state, String fault, int at) {
        return refused(
                state,
                "the text " + fault + ", for which there is " + ValueSettings.UNSTORABLE_CHARACTERS
                        + "=replace or strip, at byte " + at);
    }

    private static RefusedException refused(String state, String reason) {
        return RefusedException.of("data", reason).with("sqlstate", state);
    }
}
