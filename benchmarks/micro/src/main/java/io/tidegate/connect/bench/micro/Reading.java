package io.tidegate.connect.bench.micro;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;

/** A reading of a tide gauge with NOAA's fields and size. Each number gives another reading. */
record Reading(int number) {
    private static final Schema LOCATION = SchemaBuilder.struct()
            .field("lat", Schema.FLOAT64_SCHEMA)
            .field("lon", Schema.FLOAT64_SCHEMA)
            .build();
    static final Schema SCHEMA = SchemaBuilder.struct()
            .field("station", Schema.STRING_SCHEMA)
            .field("name", Schema.STRING_SCHEMA)
            .field("location", LOCATION)
            .field("time", Schema.STRING_SCHEMA)
            .field("level", Schema.FLOAT64_SCHEMA)
            .field("sigma", Schema.FLOAT64_SCHEMA)
            .field("flags", Schema.STRING_SCHEMA)
            .field("quality", Schema.STRING_SCHEMA)
            .field("product", Schema.STRING_SCHEMA)
            .build();

    private static final String STATION = "9447130";
    private static final String NAME = "Seattle";
    private static final double LATITUDE = 47.6026;
    private static final double LONGITUDE = -122.3393;
    private static final String FLAGS = "0,0,0,0";
    private static final String QUALITY = "v";
    private static final String PRODUCT = "water_level";
    private static final Instant FIRST = Instant.parse("2015-01-01T00:00:00Z");
    private static final int STEP_SECONDS = 360;

    private String time() {
        return FIRST.plusSeconds((long) number * STEP_SECONDS).toString();
    }

    private double level() {
        return 1 + number % 2_000 / 1e3;
    }

    private double sigma() {
        return (1 + number % 30) / 1e3;
    }

    /** The reading as JSON without white space, as most producers write it. */
    String json() {
        return String.format(
                Locale.ROOT,
                "{\"station\":\"%s\",\"name\":\"%s\",\"location\":{\"lat\":%s,\"lon\":%s},\"time\":\"%s\","
                        + "\"level\":%.3f,\"sigma\":%.3f,\"flags\":\"%s\",\"quality\":\"%s\",\"product\":\"%s\"}",
                STATION,
                NAME,
                LATITUDE,
                LONGITUDE,
                time(),
                level(),
                sigma(),
                FLAGS,
                QUALITY,
                PRODUCT);
    }

    Map<String, Object> map() {
        Map<String, Object> location = new LinkedHashMap<>();
        location.put("lat", LATITUDE);
        location.put("lon", LONGITUDE);
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("station", STATION);
        map.put("name", NAME);
        map.put("location", location);
        map.put("time", time());
        map.put("level", level());
        map.put("sigma", sigma());
        map.put("flags", FLAGS);
        map.put("quality", QUALITY);
        map.put("product", PRODUCT);
        return map;
    }

    Struct struct() {
        Map<String, Object> values = map();
        values.put("location", new Struct(LOCATION).put("lat", LATITUDE).put("lon", LONGITUDE));
        Struct struct = new Struct(SCHEMA);
        values.forEach(struct::put);
        return struct;
    }
}
