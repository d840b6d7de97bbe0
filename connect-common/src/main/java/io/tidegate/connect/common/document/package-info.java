/**
 * Turns a record into a document: its JSON, its key and its destination. The task thread calls {@link
 * io.tidegate.connect.common.document.DocumentMapper} for every record; the sinks build the parts from their
 * settings. It does no input or output, and of the core it imports {@code value} and {@code offset} only.
 */
package io.tidegate.connect.common.document;
