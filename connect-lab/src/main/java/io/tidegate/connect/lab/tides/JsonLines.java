package io.tidegate.connect.lab.tides;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import io.tidegate.connect.cli.ToolException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;

/**
 * A file of JSON lines. Each line is one record. Its bytes are sent unchanged after a check that they are one JSON
 * value. Blank lines are skipped. The key is the text of the top-level field {@code station}, if there is one.
 */
final class JsonLines implements TideSource {
    private static final byte[] NO_KEY = {};

    private final Path file;

    JsonLines(Path file) {
        this.file = file;
    }

    @Override
    public long stream(long limit, Receiver receiver) throws ToolException, InterruptedException {
        try (InputStream in = TideFile.open(file)) {
            LineReader lines = new LineReader(in);
            long streamed = 0;
            while (streamed < limit && lines.next()) {
                byte[] line = lines.line();
                if (!isBlank(line)) {
                    receiver.accept(check(line, lines.number()), line);
                    streamed++;
                }
            }
            return streamed;
        } catch (LineReader.TooLongException e) {
            throw new ToolException(file + ":" + e.line() + ": " + e.getMessage(), e);
        } catch (IOException e) {
            throw TideFile.unreadable(file, e);
        }
    }

    /** Checks that the line is one JSON value and returns the record's key. */
    private byte[] check(byte[] line, long number) throws IOException, ToolException {
        byte[] key = NO_KEY;
        try (JsonParser json = TideFile.JSON.createParser(line)) {
            int depth = 0;
            do {
                JsonToken token = json.nextToken();
                if (token == null) {
                    throw new ToolException(file + ":" + number + ": contains no JSON value");
                }
                depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
                if (depth == 1 && token == JsonToken.VALUE_STRING && "station".equals(json.currentName())) {
                    key = json.getText().getBytes(UTF_8);
                }
            } while (depth > 0);
            if (json.nextToken() != null) {
                throw new ToolException(file + ":" + number + ": more than one JSON value in a line");
            }
            return key;
        } catch (JsonProcessingException e) {
            int column = e.getLocation() == null ? 0 : e.getLocation().getColumnNr();
            throw new ToolException(file + ":" + number + ":" + column + ": " + TideFile.reason(e), e);
        }
    }

    private static boolean isBlank(byte[] line) {
        for (byte b : line) {
            if (b != ' ' && b != '\t' && b != '\r') {
                return false;
            }
        }
        return true;
    }
}
