/**
 * The books of a server that keeps next offsets itself, and a lane's hold on its partitions in them: who may write, from
 * where, and what it means when they are not what they were. The sinks bring the statements.
 */
package io.tidegate.connect.common.books;
