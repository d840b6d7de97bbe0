package io.tidegate.connect.check.oracle;

import io.tidegate.connect.check.oracle.Promises.Delivery;
import io.tidegate.connect.check.oracle.Promises.Destination;
import io.tidegate.connect.check.oracle.Promises.Identity;
import io.tidegate.connect.check.oracle.Promises.Newer;
import io.tidegate.connect.check.oracle.Promises.Nulls;
import io.tidegate.connect.check.oracle.Promises.Reading;
import io.tidegate.connect.check.oracle.Promises.Unavailable;
import io.tidegate.connect.check.oracle.Promises.Unstorable;
import io.tidegate.connect.check.oracle.Promises.ValueForm;
import io.tidegate.connect.check.oracle.Promises.Writing;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** What a file says that a sink promises. */
public final class StatedPromises {
    private StatedPromises() {}

    /**
     * Reads promises: {@code delivery}, {@code identity}, {@code writing}, {@code deletes}, {@code in.order}. What is not stated
     * is not promised.
     *
     * @throws IllegalArgumentException for an unknown word
     */
    public static Promises of(Map<String, String> stated) {
        Identity identity = word(Identity.class, stated, "identity", "none");
        return new Promises(
                word(Delivery.class, stated, "delivery", "at_least_once"),
                identity,
                word(Writing.class, stated, "writing", "append"),
                Boolean.parseBoolean(stated.get("deletes")),
                Nulls.SKIPPED,
                Newer.BY_ORDER,
                Boolean.parseBoolean(stated.get("in.order")),
                false,
                false,
                new Reading(
                        ValueForm.JSON,
                        false,
                        identity == Identity.KEY,
                        Unstorable.REFUSED,
                        false,
                        List.of(),
                        List.of(),
                        false,
                        Optional.empty(),
                        false,
                        "id",
                        Integer.MAX_VALUE,
                        false,
                        false,
                        Unavailable.REFUSED),
                new Destination("${topic}", Map.of(), Optional.empty(), false));
    }

    private static <E extends Enum<E>> E word(Class<E> type, Map<String, String> stated, String name, String standard) {
        return Enum.valueOf(type, stated.getOrDefault(name, standard).toUpperCase(Locale.ROOT));
    }
}
