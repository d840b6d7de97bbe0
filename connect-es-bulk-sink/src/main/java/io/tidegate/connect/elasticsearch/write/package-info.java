/**
 * Writes batches: prepares indexes, splits a batch into bulk requests, limits how many are in flight, and classifies
 * each item that failed. The core's delivery calls {@link
 * io.tidegate.connect.elasticsearch.write.ElasticsearchBulkWriter} from a lane's thread. It never waits to retry, and
 * no package but the root may import it.
 */
package io.tidegate.connect.elasticsearch.write;
