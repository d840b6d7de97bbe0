/**
 * The Bulk API's wire format: the body of a request, line by line, and its response, read as a stream. {@code write}
 * calls it, on a lane's thread. It sends nothing, and must not import {@code write} or {@code check}.
 */
package io.tidegate.connect.elasticsearch.bulk;
