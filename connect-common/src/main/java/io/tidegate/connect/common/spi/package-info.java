/**
 * What a sink implements, and what it tells the core: the kind of target, the target of a task, the writer of a lane,
 * the check of a server, and the kinds of failures. {@code task} and {@code delivery} call it. It must not import
 * them, nor {@code lane}.
 */
package io.tidegate.connect.common.spi;
