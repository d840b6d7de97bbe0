/**
 * {@code tidegate try}: records go through converters, transforms, the sink's mapping and its delivery into a trial of
 * the server, and the results are shown as text, JSON or a page.
 */
package io.tidegate.connect.tools.trial;
