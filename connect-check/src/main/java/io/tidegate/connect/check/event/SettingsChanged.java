package io.tidegate.connect.check.event;

import io.tidegate.connect.check.plan.CheckCase;
import io.tidegate.connect.check.run.Happening;
import io.tidegate.connect.check.run.RunningCase;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** An operator changes settings that may not change what is stored, while records are written. */
final class SettingsChanged implements Happening {
    private static final int MOST_ROWS = 300;
    private static final int LONGEST_LINGER = 200;
    private static final int MOST_TASKS = 3;
    private static final List<String> METHODS = List.of("auto", "unnest", "values");

    @Override
    public String name() {
        return "settings-changed";
    }

    @Override
    public boolean fits(CheckCase sofar) {
        return sofar.sink().equals("jsonb") || sofar.sink().equals("es");
    }

    @Override
    public void happen(RunningCase running, Random choice) throws Exception {
        running.awaitStarted();
        Map<String, String> settings = new LinkedHashMap<>(running.settings());
        settings.put("batch.size", Integer.toString(1 + choice.nextInt(MOST_ROWS)));
        settings.put("max.in.flight.requests", Integer.toString(1 + choice.nextInt(3)));
        settings.put("linger.ms", Integer.toString(choice.nextInt(LONGEST_LINGER)));
        // Never fewer: Connect itself fails those that are too many, until the connector has told it of the new ones.
        int tasks = Integer.parseInt(settings.getOrDefault("tasks.max", "1"));
        settings.put("tasks.max", Integer.toString(Math.max(tasks, 1 + choice.nextInt(MOST_TASKS))));
        if (running.planned().sink().equals("jsonb")
                && !settings.getOrDefault("insert.method", "").equals("copy")) {
            settings.put("insert.method", METHODS.get(choice.nextInt(METHODS.size())));
        }
        running.configure(settings);
    }
}
