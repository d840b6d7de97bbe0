package io.tidegate.connect.avro;

import java.util.List;

/** The names of an object's fields as they stand in JSON. Pure. */
final class Names {
    private Names() {}

    /** Each name with its quotes and colon, and a comma before all but the first. */
    static byte[][] of(List<String> names) {
        byte[][] all = new byte[names.size()][];
        JsonOutput out = new JsonOutput();
        for (int i = 0; i < all.length; i++) {
            out.reset();
            if (i > 0) {
                out.raw(',');
            }
            out.text(names.get(i));
            out.raw(':');
            all[i] = out.document().bytes();
        }
        return all;
    }
}
