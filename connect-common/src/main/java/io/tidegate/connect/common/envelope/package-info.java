/**
 * Takes change events apart: from a record with an envelope it makes one with the row as its value, or a deletion, or
 * nothing. The core's {@link io.tidegate.connect.common.document.DocumentMapper} asks it before it maps a record; the
 * sinks open it from their settings. It does no input or output, and of the core it imports {@code value}, {@code
 * document} and {@code settings} only.
 */
package io.tidegate.connect.common.envelope;
