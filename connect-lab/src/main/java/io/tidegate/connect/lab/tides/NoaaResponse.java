package io.tidegate.connect.lab.tides;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.time.ZoneOffset.UTC;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import io.tidegate.connect.cli.ToolException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A JSON response of NOAA's CO-OPS data API to a request with {@code time_zone=gmt} and {@code units=metric}: {@code
 * metadata} of one station, then {@code data} with one reading per element. It is read as a stream, so it can have any
 * size.
 *
 * <p>Source of the format: https://api.tidesandcurrents.noaa.gov/api/prod/responseHelp.html
 */
final class NoaaResponse implements TideSource {
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm");

    private final Path file;
    private final TideStations stations;

    NoaaResponse(Path file, TideStations stations) {
        this.file = file;
        this.stations = stations;
    }

    @Override
    public long stream(long limit, Receiver receiver) throws ToolException, InterruptedException {
        if (limit <= 0) {
            return 0;
        }
        try (InputStream in = TideFile.open(file);
                JsonParser json = TideFile.JSON.createParser(in)) {
            return stream(json, limit, receiver);
        } catch (JsonProcessingException e) {
            throw TideFile.malformed(file, e);
        } catch (IOException e) {
            throw TideFile.unreadable(file, e);
        }
    }

    private long stream(JsonParser json, long limit, Receiver receiver)
            throws IOException, ToolException, InterruptedException {
        expect(json, json.nextToken(), JsonToken.START_OBJECT, "an object");
        Optional<TideStation> station = Optional.empty();
        Optional<Long> streamed = Optional.empty();
        while (json.nextToken() == JsonToken.FIELD_NAME) {
            String field = json.currentName();
            JsonToken value = json.nextToken();
            switch (field) {
                case "error" -> throw new ToolException(file + ": NOAA responded with an error: " + error(json));
                case "metadata" -> station = Optional.of(station(json, value));
                case "data" -> {
                    long readings = readings(json, value, known(json, station), limit, receiver);
                    if (readings == limit) {
                        return limit;
                    }
                    streamed = Optional.of(readings);
                }
                default -> json.skipChildren();
            }
        }
        if (json.nextToken() != null) {
            throw wrong(json, "there is more text after the response");
        }
        return streamed.orElseThrow(() -> new ToolException(file + ": contains no \"data\" array"));
    }

    private String error(JsonParser json) throws IOException {
        Map<String, String> fields = texts(json);
        return fields.getOrDefault("message", "no message").strip().replaceAll("\\s+", " ");
    }

    private TideStation known(JsonParser json, Optional<TideStation> station) throws ToolException {
        return station.orElseThrow(() -> wrong(json, "\"data\" comes before the station's \"metadata\""));
    }

    private TideStation station(JsonParser json, JsonToken value) throws IOException, ToolException {
        expect(json, value, JsonToken.START_OBJECT, "an object as \"metadata\"");
        Map<String, String> fields = texts(json);
        String id = required(json, fields, "id");
        String state = stations.find(id).map(TideStation::state).orElse("");
        double latitude = number(json, "lat", required(json, fields, "lat"), 90);
        double longitude = number(json, "lon", required(json, fields, "lon"), 360);
        return new TideStation(id, fields.getOrDefault("name", id), state, latitude, longitude);
    }

    private long readings(JsonParser json, JsonToken value, TideStation station, long limit, Receiver receiver)
            throws IOException, ToolException, InterruptedException {
        expect(json, value, JsonToken.START_ARRAY, "an array as \"data\"");
        ReadingEncoder encoder = new ReadingEncoder();
        byte[] key = station.id().getBytes(UTF_8);
        long streamed = 0;
        for (JsonToken next = json.nextToken(); next != JsonToken.END_ARRAY; next = json.nextToken()) {
            expect(json, next, JsonToken.START_OBJECT, "a reading");
            receiver.accept(key, encoder.encode(reading(json, station)));
            if (++streamed == limit) {
                break;
            }
        }
        return streamed;
    }

    private TideReading reading(JsonParser json, TideStation station) throws IOException, ToolException {
        Map<String, String> fields = texts(json);
        return new TideReading(
                station,
                time(json, required(json, fields, "t")),
                metres(json, "v", fields),
                metres(json, "s", fields),
                fields.getOrDefault("f", ""),
                fields.getOrDefault("q", ""),
                TideReading.WATER_LEVEL);
    }

    /** The object's fields as strings. NOAA writes numbers as strings. */
    private Map<String, String> texts(JsonParser json) throws IOException {
        Map<String, String> fields = new HashMap<>();
        while (json.nextToken() == JsonToken.FIELD_NAME) {
            String field = json.currentName();
            if (json.nextToken().isScalarValue()) {
                fields.put(field, json.getText());
            } else {
                json.skipChildren();
            }
        }
        return fields;
    }

    private Instant time(JsonParser json, String text) throws ToolException {
        try {
            return LocalDateTime.parse(text, TIME).toInstant(UTC);
        } catch (DateTimeException e) {
            throw wrong(json, "the time \"" + text + "\" does not have the form 2015-01-01 00:00");
        }
    }

    /** Empty if the text is empty, which means that the gauge had no reading. */
    private OptionalDouble metres(JsonParser json, String field, Map<String, String> fields) throws ToolException {
        String text = fields.getOrDefault(field, "");
        return text.isBlank()
                ? OptionalDouble.empty()
                : OptionalDouble.of(number(json, field, text, TideReading.LIMIT_METRES));
    }

    private double number(JsonParser json, String field, String text, double limit) throws ToolException {
        try {
            double number = Double.parseDouble(text);
            if (Math.abs(number) <= limit) {
                return number;
            }
        } catch (NumberFormatException e) {
            throw wrong(json, "\"" + field + "\" is not a number: \"" + text + "\"");
        }
        throw wrong(json, "\"" + field + "\" is out of range: \"" + text + "\"");
    }

    private String required(JsonParser json, Map<String, String> fields, String field) throws ToolException {
        String text = fields.getOrDefault(field, "");
        if (text.isBlank()) {
            throw wrong(json, "\"" + field + "\" is missing");
        }
        return text;
    }

    private void expect(JsonParser json, JsonToken actual, JsonToken expected, String what) throws ToolException {
        if (actual != expected) {
            throw wrong(json, "expected " + what);
        }
    }

    private ToolException wrong(JsonParser json, String reason) {
        return new ToolException(TideFile.at(file, json.currentTokenLocation()) + reason);
    }
}
