package io.tidegate.connect.check.oracle;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** One text for all JSON texts that mean the same: names sorted, numbers by their value. */
final class Canonical {
    private static final int MOST_ZEROS = 30;

    private Canonical() {}

    static String text(JsonNode node) {
        if (node.isObject()) {
            List<String> members = new ArrayList<>();
            node.properties()
                    .forEach(member -> members.add(new TextNode(member.getKey()) + ":" + text(member.getValue())));
            return members.stream().sorted().collect(Collectors.joining(",", "{", "}"));
        }
        if (node.isArray()) {
            List<String> items = new ArrayList<>();
            node.forEach(item -> items.add(text(item)));
            return items.stream().collect(Collectors.joining(",", "[", "]"));
        }
        if (node.isNumber()) {
            BigDecimal number = node.decimalValue();
            return number.signum() == 0 ? "0" : shown(number.stripTrailingZeros());
        }
        return node.toString();
    }

    private static String shown(BigDecimal number) {
        return Math.abs(number.scale()) < MOST_ZEROS ? number.toPlainString() : number.toString();
    }
}
