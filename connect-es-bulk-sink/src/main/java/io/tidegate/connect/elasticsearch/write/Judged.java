package io.tidegate.connect.elasticsearch.write;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.elasticsearch.bulk.BulkBody;
import io.tidegate.connect.elasticsearch.client.ElasticsearchFailures;
import io.tidegate.connect.elasticsearch.client.ItemFailure;
import io.tidegate.connect.elasticsearch.client.Verdict;
import io.tidegate.connect.elasticsearch.settings.WriteMethod;

/** A document that the server did not write, its error, and what that means. */
public record Judged(Document document, ItemFailure item, Verdict verdict) {
    /** The same with another meaning. */
    Judged as(Verdict other) {
        return new Judged(document, item, other);
    }

    /** What the failure of an item means for its document. */
    public static Judged of(Document document, ItemFailure item, BulkBody body) {
        WriteMethod method = body.methodOf(document);
        // Where only an alias may have the name, a missing name does not mean that the document is gone.
        boolean isOfAlias = method == WriteMethod.DELETE && body.requiresAlias();
        return new Judged(
                document,
                item,
                ElasticsearchFailures.ofItem(
                        item, isOfAlias ? WriteMethod.INDEX : method, document.hasKey(), body.versions()));
    }
}
