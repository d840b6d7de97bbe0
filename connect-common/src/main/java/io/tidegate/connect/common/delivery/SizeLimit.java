package io.tidegate.connect.common.delivery;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.document.Document;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How much the server takes at once, as far as is known: bytes of JSON, and {@value #DOCUMENT_BYTES} for each document.
 * The limit halves when a batch was too large, and doubles after some successes. If it was doubled too early, the next
 * doubling needs twice as many successes. A lane's thread uses it.
 *
 * <p>A proxy that cuts long requests, and a server that is overloaded, look like an outage. So an outage is probed with
 * fewer and fewer documents. The first success ends the probes. If a larger batch then fails at once, its size is taken
 * for the reason, and the size of the successful probe is the limit: but only if a batch of about this size failed in
 * the outage, because an outage that met a few documents shows nothing about many. In a real outage this only makes the
 * first requests after it smaller.
 */
final class SizeLimit {
    private static final Logger log = LoggerFactory.getLogger(SizeLimit.class);

    private static final int DOCUMENT_BYTES = 64;
    private static final int FIRST_PATIENCE = 8;
    private static final int LONGEST_PATIENCE = 1_024;
    private static final long NONE = Long.MAX_VALUE;

    /** After this many failures in a row of an outage, fewer documents are sent. */
    private static final int FAILURES_BEFORE_PROBE = 3;

    private final String target;
    private long limit = NONE;
    private long whole; // the first batch that was too large
    private int patience = FIRST_PATIENCE;
    private int successes;
    private boolean grown; // whether the limit was raised since a batch was last too large
    private int failures; // of an outage, in a row
    private long failed; // the largest batch of these failures
    private long probe = NONE;
    private long probed = NONE; // the size of the probe that succeeded, until a larger batch has succeeded or failed

    SizeLimit(String target) {
        this.target = requireNonNull(target, "target");
    }

    private static long sizeOf(List<Document> documents) {
        long size = 0;
        for (Document document : documents) {
            size += sizeOf(document);
        }
        return size;
    }

    private static long sizeOf(Document document) {
        return (long) document.json().length() + DOCUMENT_BYTES;
    }

    /** How many of these documents, from the first, may be sent at once; at least 1. */
    int fitting(List<Document> documents) {
        long left = Math.min(limit, probe);
        if (left == NONE) {
            return documents.size();
        }
        int count = 0;
        while (count < documents.size() && (left -= sizeOf(documents.get(count))) >= 0) {
            count++;
        }
        return Math.max(1, count);
    }

    /** A batch of more than one document was too large. */
    void tooMuch(List<Document> attempted, String reason) {
        shrink(attempted, sizeOf(attempted) / 2, reason);
    }

    private void shrink(List<Document> attempted, long size, String reason) {
        if (limit == NONE) {
            whole = sizeOf(attempted);
            log.warn(
                    "{} did not take {} records at once: {}; sending smaller batches until that works",
                    target,
                    attempted.size(),
                    reason);
        } else if (grown) {
            patience = Math.min(LONGEST_PATIENCE, 2 * patience);
        }
        grown = false;
        limit = size;
        successes = 0;
        probed = NONE;
    }

    /** The server, or the way to it, took nothing, for whatever reason. */
    void unavailable(List<Document> attempted, String reason) {
        long size = sizeOf(attempted);
        if (size > probed && size <= 2 * failed) {
            shrink(attempted, probed, reason);
            return;
        }
        if (size > probed) {
            probed = NONE;
        }
        failed = failures == 0 && probed == NONE ? size : Math.max(failed, size);
        if (++failures >= FAILURES_BEFORE_PROBE && attempted.size() > 1) {
            probe = size / 2;
        }
    }

    /** The server took a batch. A batch of less than half the limit shows nothing. */
    void succeeded(List<Document> written) {
        failures = 0;
        if (probe == NONE && probed == NONE && limit == NONE) {
            return;
        }
        long size = sizeOf(written);
        if (probe != NONE) {
            probed = size;
            probe = NONE;
        } else if (size > probed) {
            probed = NONE;
        }
        if (limit == NONE || size < limit / 2) {
            return;
        }
        successes++;
        if (successes < patience) {
            return;
        }
        successes = 0;
        if (limit >= whole) {
            log.info("{} takes {} records at once again", target, written.size());
            limit = NONE;
            patience = FIRST_PATIENCE;
        } else {
            limit = Math.min(whole, 2 * limit);
            grown = true;
        }
    }
}
