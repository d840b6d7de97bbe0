package io.tidegate.connect.check.event;

import io.tidegate.connect.check.run.Happening;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Everything that can happen. */
public final class Happenings {
    /** Each event and each fault once. */
    public static final List<Happening> ALL = List.of(new ConnectorRestarted(), new ConnectionsCut());

    private Happenings() {}

    public static Map<String, Happening> byName() {
        Map<String, Happening> byName = new LinkedHashMap<>();
        ALL.forEach(one -> byName.put(one.name(), one));
        return byName;
    }
}
