package io.tidegate.connect.check.draw;

import io.tidegate.connect.check.plan.CheckCase;
import java.util.Map;
import java.util.Set;

/** Draws cases for one sink. */
public interface SinkDraw {
    /** The case of a seed. The same seed gives the same case. */
    CheckCase draw(long seed);

    /** The settings that are not drawn, each with the reason. */
    Map<String, String> notDrawn();

    /** The settings that are drawn. */
    Set<String> drawn();
}
