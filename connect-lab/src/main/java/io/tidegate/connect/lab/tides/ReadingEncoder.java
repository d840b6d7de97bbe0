package io.tidegate.connect.lab.tides;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.OptionalDouble;

/** Writes readings as JSON of about 200 bytes. It formats a time once for all stations. Not thread-safe. */
final class ReadingEncoder {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private Instant lastTime = Instant.EPOCH;
    private String lastTimeText = Instant.EPOCH.toString();

    byte[] encode(TideReading reading) {
        bytes.reset();
        try (JsonGenerator json = TideFile.JSON.createGenerator(bytes)) {
            write(json, reading);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    private void write(JsonGenerator json, TideReading reading) throws IOException {
        TideStation station = reading.station();
        json.writeStartObject();
        json.writeStringField("station", station.id());
        json.writeStringField("name", station.name());
        if (!station.state().isEmpty()) {
            json.writeStringField("state", station.state());
        }
        json.writeObjectFieldStart("location");
        json.writeNumberField("lat", station.latitude());
        json.writeNumberField("lon", station.longitude());
        json.writeEndObject();
        json.writeStringField("time", timeText(reading.time()));
        writeMetres(json, "level", reading.level());
        writeMetres(json, "sigma", reading.sigma());
        json.writeStringField("flags", reading.flags());
        json.writeStringField("quality", reading.quality());
        json.writeStringField("product", reading.product());
        json.writeEndObject();
    }

    private String timeText(Instant time) {
        if (!time.equals(lastTime)) {
            lastTime = time;
            lastTimeText = time.toString();
        }
        return lastTimeText;
    }

    /** Three decimals, as in NOAA's data. */
    private static void writeMetres(JsonGenerator json, String field, OptionalDouble metres) throws IOException {
        if (metres.isEmpty()) {
            json.writeNullField(field);
        } else {
            json.writeNumberField(field, BigDecimal.valueOf(Math.round(metres.getAsDouble() * 1000), 3));
        }
    }
}
