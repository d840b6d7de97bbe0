package io.tidegate.connect.elasticsearch.write;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.elasticsearch.bulk.BulkBody;
import io.tidegate.connect.elasticsearch.client.ElasticsearchFailures;
import io.tidegate.connect.elasticsearch.client.ItemFailure;
import io.tidegate.connect.elasticsearch.client.Verdict;

/** A document that the server did not write, its error, and what that means. */
public record Judged(Document document, ItemFailure item, Verdict verdict) {
    /** What the failure of an item means for its document. */
    public static Judged of(Document document, ItemFailure item, BulkBody body) {
        return new Judged(document, item, ElasticsearchFailures.ofItem(item, body.methodOf(document), body.versions()));
    }
}
