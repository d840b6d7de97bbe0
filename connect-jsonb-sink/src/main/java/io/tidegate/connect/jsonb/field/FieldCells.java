package io.tidegate.connect.jsonb.field;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.value.ByteSlice;
import io.tidegate.connect.common.value.JsonCursor;
import io.tidegate.connect.common.value.RefusedException;
import io.tidegate.connect.jsonb.row.DocumentField;
import io.tidegate.connect.jsonb.row.WireType;
import io.tidegate.connect.jsonb.settings.UnknownFields;
import java.util.Arrays;
import java.util.List;

/**
 * The fields of some documents, each parsed once, as values of columns. A column has one form for all rows: binary, or
 * text if one of its values is in a form that only the server reads. After the columns of the fields comes that of the
 * rest, if the layout has one. One thread.
 */
public final class FieldCells {
    private static final String DATA_EXCEPTION = "22000";
    private static final int MOST_NAME = 80; // characters in a message
    private static final int NONE = -1;
    private static final byte[] EMPTY_OBJECT = {'{', '}'};

    private final FieldLayout layout;
    private final int columns;
    private final WireType[] wires;
    private final ByteArena arena;
    private final int[] from; // of each row's cells in the arena
    private final int[] lengths; // negative for NULL
    private boolean isBinary = true;

    private FieldCells(FieldLayout layout, int rows, int bytes) {
        this.layout = requireNonNull(layout, "layout");
        this.columns = layout.fields().size() + (layout.unknown() == UnknownFields.REST ? 1 : 0);
        this.wires = new WireType[columns];
        this.arena = new ByteArena(bytes);
        this.from = new int[rows * columns];
        this.lengths = new int[rows * columns];
    }

    /**
     * Parses documents.
     *
     * @param isText whether all columns are sent as text, because the server's catalogue is not known
     * @throws RefusedException if one of them has no fields, or one that the layout refuses
     */
    public static FieldCells of(FieldLayout layout, List<Document> rows, boolean isText) {
        int bytes = 1;
        for (Document row : rows) {
            bytes += row.json().length();
        }
        FieldCells cells = new FieldCells(layout, rows.size(), bytes);
        Parser parser = new Parser(cells);
        for (int row = 0; row < rows.size(); row++) {
            parser.parse(row, rows.get(row).json());
        }
        cells.encode(rows, isText);
        return cells;
    }

    /** Whether no column needs the server to read a text of another type. */
    public boolean isBinary() {
        return isBinary;
    }

    /** The place of the rest among the columns. */
    public int rest() {
        return layout.fields().size();
    }

    /** How a column is sent. */
    public WireType wire(int column) {
        return wires[column];
    }

    /** The bytes of a value; negative for NULL. */
    public int length(int row, int column) {
        return lengths[row * columns + column];
    }

    /** The value of a row, which is not NULL. */
    public ByteSlice bytes(int row, int column) {
        int cell = row * columns + column;
        return ByteSlice.of(arena.array(), from[cell], from[cell] + lengths[cell]);
    }

    private void encode(List<Document> rows, boolean isText) {
        FieldEncoder encoder = new FieldEncoder();
        int[] starts = new int[rows.size()];
        for (int column = 0; column < layout.fields().size(); column++) {
            DocumentField field = layout.fields().get(column);
            int start = arena.size();
            wires[column] = isText ? WireType.TEXT : field.wire();
            if (!encode(encoder, field, column, rows, starts)) {
                arena.cut(start);
                wires[column] = WireType.TEXT;
                isBinary = false;
                boolean unused = encode(encoder, field, column, rows, starts);
            }
            for (int row = 0; row < starts.length; row++) {
                int cell = row * columns + column;
                from[cell] = starts[row];
            }
        }
        if (layout.unknown() == UnknownFields.REST) {
            wires[rest()] = WireType.JSON;
        }
    }

    /** Encodes a column, whose cells have the places of their JSON until all of them are encoded. */
    private boolean encode(FieldEncoder encoder, DocumentField field, int column, List<Document> rows, int[] starts) {
        int[] encoded = new int[starts.length];
        for (int row = 0; row < starts.length; row++) {
            int cell = row * columns + column;
            starts[row] = arena.size();
            if (lengths[cell] < 0) {
                encoded[row] = NONE;
                continue;
            }
            byte[] json = rows.get(row).json().array();
            int end = from[cell] + lengths[cell];
            if (!put(encoder, wires[column], field, json, from[cell], end)) {
                return false;
            }
            encoded[row] = arena.size() - starts[row];
        }
        for (int row = 0; row < starts.length; row++) {
            lengths[row * columns + column] = encoded[row];
        }
        return true;
    }

    private boolean put(FieldEncoder encoder, WireType wire, DocumentField field, byte[] json, int start, int end) {
        if (wire == WireType.TEXT && field.isArray() && json[start] == '[') {
            ArrayText.put(json, start, end, arena);
            return true;
        }
        return encoder.encode(wire, json, start, end, arena);
    }

    /** Finds the fields of documents. */
    private static final class Parser {
        private final FieldCells cells;
        private final boolean hasRest;
        private final FieldPlaces places;
        private final JsonCursor cursor = new JsonCursor();

        Parser(FieldCells cells) {
            this.cells = cells;
            this.hasRest = cells.layout.unknown() == UnknownFields.REST;
            this.places = cells.layout.places();
        }

        void parse(int row, ByteSlice json) {
            int first = row * cells.columns;
            Arrays.fill(cells.lengths, first, first + cells.columns, NONE);
            int restFrom = cells.arena.size();
            if (!cursor.openChecked(json.array(), json.from(), json.to())) {
                if (!hasRest) {
                    throw refused("the value is not a JSON object, so it has no fields for columns");
                }
                cells.arena.put(json.array(), json.from(), json.to());
                putRest(first, restFrom);
                return;
            }
            for (int member = 0; cursor.next(); member++) {
                int place = places.of(cursor, member);
                int valueFrom = cursor.valueFrom();
                boolean isNull = cursor.isNull();
                cursor.skipChecked(Integer.MAX_VALUE);
                if (place >= 0) {
                    cells.from[first + place] = valueFrom;
                    cells.lengths[first + place] = isNull ? NONE : cursor.position() - valueFrom;
                } else if (place == FieldPlaces.NONE) {
                    putUnknown(restFrom);
                }
            }
            cursor.end();
            if (cells.arena.size() > restFrom) {
                cells.arena.put((byte) '}');
                putRest(first, restFrom);
            } else if (hasRest && cells.layout.isRestRequired()) {
                cells.arena.put(EMPTY_OBJECT, 0, EMPTY_OBJECT.length);
                putRest(first, restFrom);
            }
        }

        private void putUnknown(int restFrom) {
            switch (cells.layout.unknown()) {
                case REST -> {
                    cells.arena.put((byte) (cells.arena.size() == restFrom ? '{' : ','));
                    cells.arena.put(cursor.text(), cursor.nameFrom() - 1, cursor.position());
                }
                case IGNORE -> {}
                case REFUSE -> {
                    String name = cursor.nameText();
                    throw refused("the field " + name.substring(0, Math.min(MOST_NAME, name.length()))
                            + " has no column, and unknown.fields=refuse");
                }
            }
        }

        private void putRest(int first, int restFrom) {
            cells.from[first + cells.rest()] = restFrom;
            cells.lengths[first + cells.rest()] = cells.arena.size() - restFrom;
        }

        private static RefusedException refused(String reason) {
            return RefusedException.of("data", reason).with("sqlstate", DATA_EXCEPTION);
        }
    }
}
