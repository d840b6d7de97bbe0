package io.tidegate.connect.tools.trial;

import io.tidegate.connect.cli.ToolException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;

/** Records in a file: each line is a value, the first one has offset 0. */
final class RecordFile {
    private RecordFile() {}

    /**
     * Reads lines as bytes, so that a line that is not UTF-8 stays what it is.
     *
     * @param keySeparator what comes between key and value; without it records have no key
     * @param most how many records to read
     */
    static List<ConsumerRecord<byte[], byte[]>> read(Path file, String topic, Optional<String> keySeparator, long most)
            throws ToolException {
        try {
            List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
            long now = System.currentTimeMillis();
            String text = Files.readString(file, StandardCharsets.ISO_8859_1);
            for (String line : text.split("\r?\n", -1)) {
                if (!line.isEmpty() && records.size() < most) {
                    records.add(record(line, topic, keySeparator, records.size(), now));
                }
            }
            return records;
        } catch (IOException e) {
            throw new ToolException("cannot read " + file + ": " + e, e);
        }
    }

    private static ConsumerRecord<byte[], byte[]> record(
            String line, String topic, Optional<String> keySeparator, long offset, long now) {
        String separator = keySeparator
                .map(text -> new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1))
                .orElse("");
        int at = separator.isEmpty() ? -1 : line.indexOf(separator);
        byte[] key = at < 0 ? null : bytes(line.substring(0, at));
        byte[] value = bytes(at < 0 ? line : line.substring(at + separator.length()));
        return new ConsumerRecord<>(
                topic,
                0,
                offset,
                now,
                TimestampType.CREATE_TIME,
                key == null ? -1 : key.length,
                value.length,
                key,
                value,
                new RecordHeaders(),
                Optional.empty());
    }

    private static byte[] bytes(String line) {
        return line.getBytes(StandardCharsets.ISO_8859_1);
    }
}
