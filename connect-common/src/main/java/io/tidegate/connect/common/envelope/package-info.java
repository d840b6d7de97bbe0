/**
 * The last of three steps that a record takes before it becomes a document, after {@code frame} and {@code format}: takes
 * change events apart. From a record with an envelope it makes one with the row as its value, or a deletion, or nothing. The core's {@link io.tidegate.connect.common.document.DocumentMapper} asks it before it maps a record; the
 * sinks open it from their settings. It does no input or output, and of the core it imports {@code value}, {@code
 * document} and {@code settings} only.
 */
package io.tidegate.connect.common.envelope;
