package io.tidegate.connect.common.settings;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeSet;

/**
 * Names in a configuration that are nearly ours. Connect accepts any name, so the setting that was meant would silently keep
 * its default.
 */
public final class MisspelledSettings {
    /** Most letters by which a name differs: more may be another word. */
    private static final int MOST = 2;

    /** Letters of a name from which two may differ. In a shorter one, two make another word. */
    private static final int LONG = 9;

    private MisspelledSettings() {}

    /**
     * One problem for each of them.
     *
     * @param given the names in a configuration
     * @param ours the names of all settings
     */
    public static List<Problem> problems(Collection<String> given, Collection<String> ours) {
        return new TreeSet<>(given)
                .stream()
                        .filter(name -> !ours.contains(name))
                        .flatMap(name -> meant(name, ours)
                                .map(setting -> new Problem(name, "is not a setting; did you mean " + setting + '?'))
                                .stream())
                        .toList();
    }

    /** The nearest one. */
    private static Optional<String> meant(String name, Collection<String> ours) {
        String plain = plain(name);
        int most = plain.length() < LONG ? 1 : MOST;
        return ours.stream()
                .filter(setting -> distance(plain, plain(setting)) <= most)
                .min(Comparator.<String>comparingInt(setting -> distance(plain, plain(setting)))
                        .thenComparing(Comparator.naturalOrder()));
    }

    /** Without what people leave out or exchange. */
    private static String plain(String name) {
        return name.toLowerCase(Locale.ROOT).replaceAll("[._-]", "");
    }

    /** How many letters have to be changed, added or left out. */
    private static int distance(String a, String b) {
        int[] row = new int[b.length() + 1]; // changes from the first letters of a to the first letters of b
        for (int j = 0; j < row.length; j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j < row.length; j++) {
                int changed = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(changed, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[b.length()];
    }
}
