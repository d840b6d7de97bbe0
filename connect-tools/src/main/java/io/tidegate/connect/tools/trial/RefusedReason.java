package io.tidegate.connect.tools.trial;

import io.tidegate.connect.common.value.RefusedException;

/** The text of a dead letter without its facts. */
final class RefusedReason {
    private static final String FACTS = " {\"" + RefusedException.KIND + "\":";

    private RefusedReason() {}

    static String of(RefusedException refusal) {
        String message = refusal.getMessage();
        int facts = message.lastIndexOf(FACTS);
        return facts < 0 ? message : message.substring(0, facts);
    }
}
