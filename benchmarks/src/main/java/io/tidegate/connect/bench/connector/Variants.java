package io.tidegate.connect.bench.connector;

import io.tidegate.connect.cli.ToolException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Makes a connector for each combination of the varied settings. The constant settings change in all of them. */
public record Variants(List<String> constants, List<String> varied) {
    public List<ConnectorSpec> of(ConnectorSpec spec) throws ToolException {
        Map<String, String> changes = new LinkedHashMap<>();
        StringBuilder name = new StringBuilder(spec.name());
        for (String constant : constants) {
            String[] pair = pair(constant, "--set");
            changes.put(pair[0], pair[1]);
            name.append(' ').append(constant);
        }
        List<ConnectorSpec> specs = List.of(spec.with(name.toString(), changes));
        for (String vary : varied) {
            String[] pair = pair(vary, "--vary");
            List<ConnectorSpec> more = new ArrayList<>();
            for (ConnectorSpec one : specs) {
                for (String value : pair[1].split(",", -1)) {
                    more.add(one.with(one.name() + " " + pair[0] + "=" + value, Map.of(pair[0], value)));
                }
            }
            specs = more;
        }
        return specs;
    }

    private static String[] pair(String text, String option) throws ToolException {
        int equals = text.indexOf('=');
        if (equals < 1) {
            throw new ToolException(option + " takes KEY=VALUE, not " + text);
        }
        return new String[] {text.substring(0, equals), text.substring(equals + 1)};
    }
}
