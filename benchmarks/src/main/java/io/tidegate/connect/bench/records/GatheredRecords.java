package io.tidegate.connect.bench.records;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidegate.connect.cli.ToolException;
import io.tidegate.connect.lab.tides.TideSource;
import java.io.ByteArrayOutputStream;

/**
 * Documents of about one size, which hold records of the source as an array. Unlike {@link SizedRecords} they compress
 * as well as the records do.
 *
 * @param bytes the size of a document, at least that of a record
 */
public record GatheredRecords(TideSource source, int bytes) implements TideSource {
    private static final byte[] HEAD = "{\"records\":[".getBytes(UTF_8);
    private static final byte[] TAIL = "]}".getBytes(UTF_8);

    @Override
    public long stream(long limit, Receiver receiver) throws ToolException, InterruptedException {
        int[] size = {bytes};
        source.stream(1, (key, value) -> size[0] = value.length + 1);
        int each = Math.max(1, Math.round((float) (bytes - HEAD.length - TAIL.length) / size[0]));
        ByteArrayOutputStream document = new ByteArrayOutputStream(2 * bytes);
        int[] held = {0};
        long read = source.stream(limit > Long.MAX_VALUE / each ? Long.MAX_VALUE : limit * each, (key, value) -> {
            document.writeBytes(held[0] == 0 ? HEAD : new byte[] {','});
            document.writeBytes(value);
            if (++held[0] == each) {
                document.writeBytes(TAIL);
                receiver.accept(key, document.toByteArray());
                document.reset();
                held[0] = 0;
            }
        });
        return read / each;
    }
}
