package io.tidegate.connect.common.spi;

/**
 * What a target's connections have shown of its server.
 *
 * @param changes how often another server answered than before, or the same one after a restart
 * @param formerUntil when the server before the latest change last answered, as {@link System#nanoTime()}
 * @param presentUntil when the present server last answered, as {@link System#nanoTime()}
 */
public record ServerSight(long changes, long formerUntil, long presentUntil) {
    /** The view of a target that does not look. */
    public static final ServerSight NONE = new ServerSight(0, 0, 0);
}
