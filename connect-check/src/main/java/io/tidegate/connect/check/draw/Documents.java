package io.tidegate.connect.check.draw;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;

/** Draws values in the notation of {@link io.tidegate.connect.check.plan.Payload}. */
final class Documents {
    private static final int ODD = 8;

    private final Draw draw;
    private final Story story;

    Documents(Draw draw, Story story) {
        this.draw = draw;
        this.story = story;
    }

    /** The identity in the document of a record with this key. */
    String identity(String key) {
        if (key.isEmpty() || story.form().isDebezium()) {
            return key.isEmpty() ? "none" : key.replaceAll("[^k0-9]", "");
        }
        return key.substring(key.indexOf(':') + 1).replace("\u0000", "");
    }

    String next(int number, String key) {
        if (!story.clean() && draw.chance(ODD)) {
            String odd = odd(number);
            if (!odd.isEmpty()) {
                return odd;
            }
        }
        ObjectNode document = document(number, key);
        return switch (story.form()) {
            case BYTES, STRING, MAP -> raw(document);
            case FRAMED -> (draw.chance(70) ? "framed:" : "text:") + document;
            case STRUCT -> "text:" + struct(document);
            case AVRO -> "avro:" + document;
            case DEBEZIUM, DEBEZIUM_MAP -> "text:" + event(document);
        };
    }

    private ObjectNode document(int number, String key) {
        ObjectNode document = JsonNodeFactory.instance.objectNode();
        document.put("n", number);
        if (!story.byField() || story.clean() || !draw.chance(3)) {
            document.put("id", identity(key));
        }
        document.put("version", draw.between(1, 40));
        if (story.form() == Form.AVRO || story.form() == Form.STRUCT) {
            document.put("id", identity(key));
            document.put("text", draw.chance(30) ? null : text());
            if (story.form() == Form.STRUCT && draw.chance(25)) {
                vector(document.putArray(TableText.VECTOR));
            } else if (story.form() == Form.STRUCT) {
                document.putNull(TableText.VECTOR); // as the converter reads a field that is missing
            }
            return document;
        }
        if (draw.chance(60)) {
            document.put(draw.pick("a", "b", "c"), draw.between(0, 9));
        }
        if (draw.chance(30)) {
            ObjectNode nested = document.putObject(draw.pick("o", "p"));
            nested.put(draw.pick("x", "y"), draw.between(0, 9));
            if (draw.chance(30)) {
                nested.putArray("list").add(1.5).add(text()).addNull();
            }
        }
        if (draw.chance(20)) {
            document.put("text", text());
        }
        if (draw.chance(25)) {
            vector(document.putArray(TableText.VECTOR));
        }
        if (draw.chance(10)) {
            document.putNull("nothing");
        }
        return document;
    }

    /** Floats have these numbers exactly. Some are no vector of three. */
    private void vector(ArrayNode vector) {
        for (int i = 0; i < 3; i++) {
            vector.add(draw.between(-20, 20) / 4.0);
        }
        if (!story.clean() && draw.chance(10)) {
            vector.remove(draw.between(0, 2));
        }
    }

    private String text() {
        return draw.pick(
                "",
                "plain",
                "\u00E4\u20AC\uD83C\uDF0A",
                "\"quoted\"",
                "\\N",
                "line\nbreak",
                "tab\tstop",
                "a'b",
                "{\"index\":{}}",
                "\u2028");
    }

    private String raw(ObjectNode document) {
        String json = document.toString();
        if (story.form() != Form.MAP && draw.chance(8)) {
            return "text:" + json.replaceFirst(",", " ,\r\n ").replaceFirst("\\{", "{\n\t");
        }
        if (draw.chance(3)) {
            document.put("filler", "@");
            return "big:" + draw.pick(2_000, 20_000, 300_000) + ":" + document;
        }
        return "text:" + json;
    }

    private static String struct(ObjectNode document) {
        ObjectNode all = JsonNodeFactory.instance.objectNode();
        ObjectNode schema = all.putObject("schema").put("type", "struct").put("optional", true);
        for (String field : new String[] {"n", "id", "version", "text"}) {
            boolean number = field.equals("n") || field.equals("version");
            schema.withArray("fields")
                    .addObject()
                    .put("field", field)
                    .put("type", number ? "int64" : "string")
                    .put("optional", !number);
        }
        schema.withArray("fields")
                .addObject()
                .put("field", TableText.VECTOR)
                .put("type", "array")
                .put("optional", true)
                .putObject("items")
                .put("type", "double");
        all.set("payload", document);
        return all.toString();
    }

    private String event(ObjectNode document) {
        ObjectNode event = JsonNodeFactory.instance.objectNode();
        if (!story.clean() && draw.chance(2)) {
            event.putNull("before").putNull("after").putObject("source").put("lsn", 1);
            return event.put("op", "t").toString();
        }
        String operation = draw.pick("c", "u", "r");
        if (!story.clean() && operation.equals("u") && draw.chance(8)) {
            document.put("text", "__debezium_unavailable_value");
        }
        boolean deletes = story.nulls() && draw.chance(20);
        event.set("before", deletes ? document : JsonNodeFactory.instance.nullNode());
        event.set("after", deletes ? JsonNodeFactory.instance.nullNode() : document);
        event.putObject("source")
                .put("connector", "postgresql")
                .put("name", "x")
                .put("table", "t")
                .put("lsn", Math.max(1, document.path("n").asLong() + 1 - (draw.chance(15) ? draw.between(1, 30) : 0)));
        event.put("op", deletes ? "d" : operation).put("ts_ms", 1);
        return event.toString();
    }

    /** A value that is refused, or that is stored in a way of its own; empty if this form has none. */
    private String odd(int number) {
        if (story.form() == Form.AVRO) {
            return draw.pick("hex:00", "hex:0000000001", "text:{\"n\":1}");
        }
        if (story.form() == Form.STRUCT) {
            return "text:{\"n\":";
        }
        if (story.form().isDebezium()) {
            return "text:{\"op\":";
        }
        String broken = draw.pick("text:{\"n\":" + number, "text:{n:1}", "text:]");
        if (story.versioned() || story.byField()) {
            return broken;
        }
        String id = "\"id\":" + TextNode.valueOf("odd" + number);
        if (story.search()) {
            return draw.pick(
                    broken,
                    "text:[1,2]",
                    "text:\"text\"",
                    "text:3",
                    "text:{\"n\":\"x\"," + id + "}",
                    "text:{\"n\":{\"m\":1}}");
        }
        if (!story.form().isRaw()) {
            return draw.pick(broken, "text:[" + number + "]", "text:{\"m\":" + number + ",\"z\":\"\\u0000\"}");
        }
        String bytes = story.form() == Form.STRING
                ? broken
                : draw.pick("hex:7b227a223a22ff227d", "hex:efbbbf7b7d", "hex:22c3");
        return draw.pick(
                broken,
                "text:{\"n\":" + number + "}x",
                bytes,
                "text:{\"m\":" + number + ",\"z\":\"a\\u0000b\"}",
                "text:{\"m\":" + number + ",\"z\":\"\\ud83c\"}",
                "text:[" + number + ", {\"a\": 1.50}]",
                "text:\"text" + number + "\"",
                "text:null",
                "text:NaN",
                "text: ",
                "text:{\"m\":" + number + ",\"big\":1e400,\"long\":12345678901234567890123456789}",
                "text:{\"m\":" + number + ",\"big\":1e999999}",
                "text:{\"m\":" + number + ",\"m\":" + number + "}",
                "text:" + "[".repeat(300) + number + "]".repeat(300));
    }
}
