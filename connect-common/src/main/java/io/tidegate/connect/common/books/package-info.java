/**
 * The offsets table of a server that keeps next offsets itself (its books), and a lane's hold on its partitions in it.
 * It decides who may write and from which offset, and how a server that lost data is recognised. The sinks provide the
 * statements.
 */
package io.tidegate.connect.common.books;
