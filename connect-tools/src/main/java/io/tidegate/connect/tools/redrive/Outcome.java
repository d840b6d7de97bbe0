package io.tidegate.connect.tools.redrive;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** What a run has done so far. One thread uses it. */
final class Outcome {
    private final Map<String, Long> refused = new TreeMap<>();
    private String lastReason = "";
    private long accepted;
    private long kept;
    private long parked;
    private long skipped;
    private long dropped;
    private long superseded;
    private long repeated;
    private long unsure;

    /** The sink has accepted so many letters; some of them left what exists as it was. */
    void accepted(long letters) {
        accepted += letters;
    }

    /** Of the accepted letters, so many left what exists as it was. */
    void kept(long letters) {
        kept += letters;
    }

    long skipped() {
        return skipped;
    }

    /** Of the accepted letters, so many were skipped, as the connector's settings say. */
    void skipped(long letters) {
        skipped += letters;
    }

    void refused(String kind, String reason) {
        refused.merge(kind, 1L, Long::sum);
        lastReason = reason;
    }

    /** So many letters are in the parking topic. */
    void parked(long letters) {
        parked += letters;
    }

    /** The user has said that a letter in doubt is not to be written. */
    void unsure() {
        unsure++;
    }

    /** A transform has dropped the record. */
    void dropped() {
        dropped++;
    }

    /** A later record has the letter's key. */
    void superseded() {
        superseded++;
    }

    /** Another letter of the run has the same record. */
    void repeated() {
        repeated++;
    }

    long refused() {
        return refused.values().stream().mapToLong(Long::longValue).sum();
    }

    void print(PrintWriter out) {
        out.printf(Locale.ROOT, "%,d written%n", accepted - kept - skipped);
        print(out, kept, "kept what exists: it is newer, or this record itself");
        print(out, skipped, "skipped, as the connector's settings say");
        print(out, superseded, "left out: their keys have later records");
        print(out, repeated, "left out: another letter has the same record");
        print(out, dropped, "dropped by a transform");
        refused.forEach((kind, count) -> print(out, count, "refused again: " + kind));
        print(out, unsure, "in doubt, not written again");
        print(out, parked, "moved to the parking topic");
        if (!lastReason.isEmpty()) {
            out.printf("The last reason: %s%n", lastReason);
        }
        out.flush();
    }

    private static void print(PrintWriter out, long count, String what) {
        if (count > 0) {
            out.printf(Locale.ROOT, "%,d %s%n", count, what);
        }
    }

    void addTo(ObjectNode json) {
        json.put("written", accepted - kept - skipped);
        json.put("kept", kept);
        json.put("skipped", skipped);
        json.put("superseded", superseded);
        json.put("repeated", repeated);
        json.put("dropped", dropped);
        json.put("unsure_skipped", unsure);
        json.put("refused_again", refused());
        json.put("parked", parked);
        ObjectNode kinds = json.putObject("refused_by_kind");
        refused.forEach(kinds::put);
        if (!lastReason.isEmpty()) {
            json.put("last_reason", lastReason);
        }
    }
}
