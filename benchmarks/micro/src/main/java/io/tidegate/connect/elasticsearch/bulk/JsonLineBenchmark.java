package io.tidegate.connect.elasticsearch.bulk;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidegate.connect.bench.micro.MicroBenchmark;
import java.util.List;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/** Checks one document of about 200 bytes, without and with a look at its names. */
public class JsonLineBenchmark extends MicroBenchmark {
    private static final String READING = "{\"v\":\"1.234\",\"s\":\"0.012\",\"f\":\"0,0,0,0\",\"q\":\"v\","
            + "\"t\":\"2015-01-01 00:06\",\"metadata\":{\"id\":\"8518750\",\"name\":\"The Battery, New York\","
            + "\"lat\":\"40.7006\",\"lon\":\"-74.0142\"},\"level\":517,\"ok\":true}";
    private static final String TEXT =
            "{\"message\":\"" + "The tide rises, the tide falls, the twilight darkens. ".repeat(3) + "\",\"n\":1}";

    private static final String ESCAPED = "{\"message\":\""
            + "Die Fl\u00fcsse steigen: \\\"\u00fcber 3 m\\\"\\n\\tin K\u00f6ln. ".repeat(5) + "\",\"n\":1}";

    /** Many short values, or one long text, without and with escapes and letters that are not ASCII. */
    @Param({"reading", "text", "escaped"})
    public String document;

    private final JsonLine plain = new JsonLine(List.of(), "");
    private final JsonLine watching = new JsonLine(List.of("kafka"), "@timestamp");
    private byte[] json;

    @Setup
    public void fill() {
        String chosen =
                switch (document) {
                    case "text" -> TEXT;
                    case "escaped" -> ESCAPED;
                    default -> READING;
                };
        json = chosen.getBytes(UTF_8);
    }

    @Benchmark
    public void check() {
        plain.makeSafe(json, 0, json.length);
    }

    @Benchmark
    public void checkAndFindNames() {
        watching.makeSafe(json, 0, json.length);
    }
}
