package io.tidegate.connect.lab.tides;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * Writes readings as JSON of about 200 bytes. It must be so fast that no measurement waits for it. Therefore it encodes
 * the common part of a station's readings once, and a time once for all stations. Not thread-safe.
 */
final class ReadingEncoder {
    private static final byte[] LEVEL = ascii("\",\"level\":");
    private static final byte[] SIGMA = ascii(",\"sigma\":");
    private static final byte[] NULL = ascii("null");
    private static final int NUMBER_BYTES = 12;

    private final Map<TideStation, byte[]> heads = new HashMap<>();
    private Instant lastTime = Instant.EPOCH;
    private byte[] lastTimeText = ascii(Instant.EPOCH.toString());
    private Tail lastTail = new Tail("", "", "");

    byte[] encode(TideReading reading) {
        byte[] head = heads.computeIfAbsent(reading.station(), ReadingEncoder::head);
        byte[] time = timeText(reading.time());
        byte[] tail = tail(reading);
        byte[] json =
                new byte[head.length + time.length + LEVEL.length + SIGMA.length + 2 * NUMBER_BYTES + tail.length];
        int end = append(json, 0, head);
        end = append(json, end, time);
        end = append(json, end, LEVEL);
        end = appendMetres(json, end, reading.level());
        end = append(json, end, SIGMA);
        end = appendMetres(json, end, reading.sigma());
        end = append(json, end, tail);
        return end == json.length ? json : Arrays.copyOf(json, end);
    }

    private static byte[] head(TideStation station) {
        String state = station.state().isEmpty() ? "" : "\"state\":\"" + quoted(station.state()) + "\",";
        return ("{\"station\":\"" + quoted(station.id()) + "\",\"name\":\"" + quoted(station.name()) + "\"," + state
                        + "\"location\":{\"lat\":" + station.latitude() + ",\"lon\":" + station.longitude()
                        + "},\"time\":\"")
                .getBytes(UTF_8);
    }

    private byte[] timeText(Instant time) {
        if (!time.equals(lastTime)) {
            lastTime = time;
            lastTimeText = ascii(time.toString());
        }
        return lastTimeText;
    }

    private byte[] tail(TideReading reading) {
        if (!lastTail.fits(reading)) {
            lastTail = new Tail(reading.flags(), reading.quality(), reading.product());
        }
        return lastTail.bytes;
    }

    private static int append(byte[] json, int at, byte[] part) {
        System.arraycopy(part, 0, json, at, part.length);
        return at + part.length;
    }

    /** Three decimals, as in NOAA's data. */
    private static int appendMetres(byte[] json, int at, OptionalDouble metres) {
        if (metres.isEmpty()) {
            return append(json, at, NULL);
        }
        long millimetres = Math.round(metres.getAsDouble() * 1000);
        int end = at;
        if (millimetres < 0) {
            json[end++] = '-';
            millimetres = -millimetres;
        }
        end = append(json, end, ascii(Long.toString(millimetres / 1000)));
        json[end++] = '.';
        json[end++] = digit(millimetres / 100);
        json[end++] = digit(millimetres / 10);
        json[end++] = digit(millimetres);
        return end;
    }

    private static byte digit(long number) {
        return (byte) ('0' + number % 10);
    }

    private static String quoted(String text) {
        return new String(JsonStringEncoder.getInstance().quoteAsString(text));
    }

    private static byte[] ascii(String text) {
        return text.getBytes(ISO_8859_1);
    }

    /** The end of a reading's JSON, which rarely differs from that of the previous reading. */
    private static final class Tail {
        private final String flags;
        private final String quality;
        private final String product;
        private final byte[] bytes;

        Tail(String flags, String quality, String product) {
            this.flags = flags;
            this.quality = quality;
            this.product = product;
            this.bytes = (",\"flags\":\"" + quoted(flags) + "\",\"quality\":\"" + quoted(quality) + "\",\"product\":\""
                            + quoted(product) + "\"}")
                    .getBytes(UTF_8);
        }

        boolean fits(TideReading reading) {
            return flags.equals(reading.flags())
                    && quality.equals(reading.quality())
                    && product.equals(reading.product());
        }
    }
}
