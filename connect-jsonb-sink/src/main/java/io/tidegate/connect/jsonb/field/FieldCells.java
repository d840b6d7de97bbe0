package io.tidegate.connect.jsonb.field;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.value.ByteSlice;
import io.tidegate.connect.common.value.JsonCursor;
import io.tidegate.connect.common.value.RefusedException;
import io.tidegate.connect.jsonb.row.DocumentField;
import io.tidegate.connect.jsonb.row.WireType;
import io.tidegate.connect.jsonb.settings.UnknownFields;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.apache.kafka.connect.data.Schema;

/**
 * The fields of some documents, each parsed once, as values of columns. A column has one form for all rows: binary, or
 * text if one of its values is in a form that only the server reads. After the columns of the fields comes that of the
 * rest, if the layout has one. One thread.
 */
public final class FieldCells {
    private static final String DATA_EXCEPTION = "22000";
    private static final int MOST_NAME = 80; // characters in a message
    private static final int NULL = -1;
    private static final int FIRST_RESTS = 1 << 12; // bytes
    private static final byte[] EMPTY_OBJECT = {'{', '}'};

    private final FieldLayout layout;
    private final int columns;
    private final WireType[] wires;
    private final ByteArena arena;
    private final ByteArena rests;
    private final int[] from; // of each row's cells in the arena, or of its rest in the other
    private final int[] lengths; // negative for NULL
    private boolean isBinary = true;

    private FieldCells(FieldLayout layout, int rows, int bytes, CellForm form) {
        this.layout = requireNonNull(layout, "layout");
        boolean hasRest = layout.unknown() == UnknownFields.REST;
        this.columns = layout.fields().size() + (hasRest ? 1 : 0);
        this.wires = new WireType[columns];
        for (int column = 0; column < layout.fields().size(); column++) {
            wires[column] = form.of(layout.fields().get(column).wire());
        }
        if (hasRest) {
            wires[rest()] = WireType.JSON;
        }
        this.arena = new ByteArena(bytes);
        this.rests = new ByteArena(hasRest ? Math.min(bytes, FIRST_RESTS) : 1);
        this.from = new int[rows * columns];
        this.lengths = new int[rows * columns];
    }

    /**
     * Parses documents.
     *
     * @param form how they are sent
     * @throws RefusedException if one of them has no fields, or one that the layout refuses
     */
    public static FieldCells of(FieldLayout layout, List<Document> rows, CellForm form) {
        int bytes = 1;
        for (Document row : rows) {
            bytes += row.json().length();
        }
        FieldCells cells = new FieldCells(layout, rows.size(), bytes, form);
        if (!cells.parse(rows)) {
            cells.isBinary = false;
            boolean unused = cells.parse(rows); // once more, now that the columns of rare forms are known
        }
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
        ByteArena ofCell = column == rest() ? rests : arena;
        return ByteSlice.of(ofCell.array(), from[cell], from[cell] + lengths[cell]);
    }

    /** Whether all values have the forms of their columns. If not, columns of other forms are text from now on. */
    private boolean parse(List<Document> rows) {
        arena.cut(0);
        rests.cut(0);
        Parser parser = new Parser(this);
        for (int row = 0; row < rows.size(); row++) {
            parser.parse(row * columns, rows.get(row));
        }
        return parser.areAllEncoded;
    }

    /** Finds the fields of documents, and encodes them. */
    private static final class Parser {
        private final FieldCells cells;
        private final boolean hasRest;
        private final FieldPlaces places;
        private final boolean[] areArrays;
        private final boolean[] areBytes; // in Base64, by the schema of the document
        private final boolean[] areJsonTexts; // by the schema too
        private final boolean[] areTimes; // by the columns
        private final List<Optional<TimeCount>> counts = new ArrayList<>(); // of times, by the schema
        private final JsonCursor cursor = new JsonCursor();
        private final FieldEncoder encoder = new FieldEncoder();
        private boolean areAllEncoded = true;
        private Optional<Schema> known = Optional.empty();

        Parser(FieldCells cells) {
            this.cells = cells;
            this.hasRest = cells.layout.unknown() == UnknownFields.REST;
            this.places = cells.layout.places();
            this.areArrays = new boolean[cells.rest()];
            this.areBytes = new boolean[cells.rest()];
            this.areJsonTexts = new boolean[cells.rest()];
            this.areTimes = new boolean[cells.rest()];
            for (int column = 0; column < areArrays.length; column++) {
                areArrays[column] = cells.layout.fields().get(column).isArray();
                areTimes[column] = cells.layout.fields().get(column).isOfTime();
                counts.add(Optional.empty());
            }
        }

        /** Parses a row, whose first cell this is. */
        void parse(int first, Document document) {
            ByteSlice json = document.json();
            read(document.fields());
            Arrays.fill(cells.lengths, first, first + cells.columns, NULL);
            int restFrom = cells.rests.size();
            if (!cursor.openChecked(json.array(), json.from(), json.to())) {
                if (!hasRest) {
                    throw refused("the value is not a JSON object, so it has no fields for columns");
                }
                cells.rests.put(json.array(), json.from(), json.to());
                putRest(first, restFrom);
                return;
            }
            for (int member = 0; places.next(cursor, member); member++) {
                int place = places.place();
                if (place >= 0 && putNumber(first + place, place, json.to())) {
                    continue;
                }
                boolean isNull = cursor.isNull();
                cursor.skipChecked(Integer.MAX_VALUE);
                if (place >= 0) {
                    put(first + place, place, isNull);
                } else if (place == FieldPlaces.NONE) {
                    putUnknown(restFrom);
                }
            }
            cursor.end();
            if (cells.rests.size() > restFrom) {
                cells.rests.put((byte) '}');
                putRest(first, restFrom);
            } else if (hasRest && cells.layout.isRestRequired()) {
                cells.rests.put(EMPTY_OBJECT, 0, EMPTY_OBJECT.length);
                putRest(first, restFrom);
            }
        }

        /**
         * Finds the columns whose values are bytes, JSON in strings, or counted times. Records that follow each other have
         * one schema, as a rule.
         */
        private void read(Optional<Schema> fields) {
            if (!fields.equals(known)) {
                known = fields;
                for (int column = 0; column < areBytes.length; column++) {
                    DocumentField field = cells.layout.fields().get(column);
                    areBytes[column] = field.isBytesArray()
                            ? FieldTypes.isArrayOfBytes(fields, field.name())
                            : field.wire() == WireType.BYTEA && FieldTypes.isBytes(fields, field.name());
                    areJsonTexts[column] = field.isJsonArray()
                            ? FieldTypes.isArrayOfJsonTexts(fields, field.name()) // no envelope reads them
                            : cells.layout.areTextsRead()
                                    && field.wire() == WireType.JSON
                                    && FieldTypes.isJsonText(fields, field.name());
                    if (areTimes[column]) {
                        counts.set(column, FieldTypes.count(fields, field.name()));
                    }
                }
            }
        }

        /** Encodes the value at the cursor if it is a number for a column of numbers: finding its end reads it. */
        private boolean putNumber(int cell, int column, int limit) {
            int start = cells.arena.size();
            int end = encoder.encodeNumber(cells.wires[column], cursor.text(), cursor.valueFrom(), limit, cells.arena);
            if (end < 0) {
                return false;
            }
            cursor.skipTo(end);
            cells.from[cell] = start;
            cells.lengths[cell] = cells.arena.size() - start;
            return true;
        }

        /** Encodes the value before the cursor; the last of several with one name counts. */
        private void put(int cell, int column, boolean isNull) {
            if (isNull) {
                cells.lengths[cell] = NULL;
                return;
            }
            int start = cells.arena.size();
            byte[] json = cursor.text();
            int valueFrom = cursor.valueFrom();
            boolean isText = cells.wires[column] == WireType.TEXT;
            boolean isDone = (areBytes[column] && putBytes(json, valueFrom, isText))
                    || (areJsonTexts[column] && putJsonOfText(json, valueFrom))
                    || (areTimes[column] && putCount(json, valueFrom, column));
            if (!isDone && areArrays[column] && json[valueFrom] == '[' && isText) {
                ArrayText.put(json, valueFrom, cursor.position(), elements(column), cells.arena);
            } else if (!isDone && isText && cursor.isString() && !cursor.isEscaped()) {
                cells.arena.put(json, valueFrom + 1, cursor.position() - 1);
            } else if (!isDone) {
                encode(json, valueFrom, cursor.position(), column);
            }
            cells.from[cell] = start;
            cells.lengths[cell] = cells.arena.size() - start;
        }

        private void encode(byte[] json, int from, int to, int column) {
            if (!encoder.encode(cells.wires[column], json, from, to, cells.arena)) {
                cells.wires[column] = WireType.TEXT;
                areAllEncoded = false;
            }
        }

        /** Writes a number for a column of times. False if there is something else. */
        private boolean putCount(byte[] json, int from, int column) {
            if (json[from] != '-' && !Character.isDigit(json[from])) {
                return false;
            }
            String number = new String(json, from, cursor.position() - from, StandardCharsets.US_ASCII);
            byte[] text = ('"' + number(number, column) + '"').getBytes(StandardCharsets.US_ASCII);
            encode(text, 0, text.length, column);
            return true;
        }

        /** What a number counts, as a text. */
        private String number(String number, int column) {
            try {
                long count = Long.parseLong(number);
                TimeCount counted = counts.get(column).orElseThrow(() -> unitless(column));
                DocumentField field = cells.layout.fields().get(column);
                if (counted.isCutIn(field, count)) {
                    throw refused("the field " + nameOf(column) + " is a timestamp, of which " + field.columnType()
                            + " would keep only a part; make the column timestamp");
                }
                return counted.text(count);
            } catch (NumberFormatException e) {
                throw unitless(column);
            }
        }

        private RefusedException unitless(int column) {
            String schema = known.isPresent()
                    ? "whose schema is no time of Debezium or Connect"
                    : "without a schema that names a unit";
            return refused("the field " + nameOf(column) + " is a number " + schema + ", and "
                    + cells.layout.fields().get(column).columnType()
                    + " would take it for another time; send such a schema, or text:"
                    + " Debezium does with time.precision.mode=isostring and interval.handling.mode=string");
        }

        private String nameOf(int column) {
            return shortened(cells.layout.fields().get(column).name());
        }

        private ArrayText.Elements elements(int column) {
            return new ArrayText.Elements(
                    strings(column),
                    areTimes[column] ? number -> number(number, column) : UnaryOperator.identity(),
                    cells.layout.characters());
        }

        private ArrayText.Strings strings(int column) {
            if (areBytes[column]) {
                return ArrayText.Strings.BASE64;
            }
            if (areJsonTexts[column]) {
                return ArrayText.Strings.CONTAINED_JSON;
            }
            return cells.layout.fields().get(column).isJsonArray() ? ArrayText.Strings.JSON : ArrayText.Strings.TEXT;
        }

        private boolean putJsonOfText(byte[] json, int from) {
            return FieldEncoder.putJsonOfText(json, from, cursor.position(), cells.layout.characters(), cells.arena);
        }

        private boolean putBytes(byte[] json, int from, boolean isText) {
            return json[from] == '"'
                    && FieldEncoder.putBase64(json, from + 1, cursor.position() - 1, isText, cells.arena);
        }

        private void putUnknown(int restFrom) {
            switch (cells.layout.unknown()) {
                case REST -> {
                    cells.rests.put((byte) (cells.rests.size() == restFrom ? '{' : ','));
                    cells.rests.put(cursor.text(), cursor.nameFrom() - 1, cursor.position());
                }
                case IGNORE -> {}
                case REFUSE -> {
                    String name = cursor.nameText();
                    throw refused("the field " + shortened(name)
                            + (cells.layout.closed().contains(name)
                                    ? " has a column that takes none: it is generated, or of type name or \"char\""
                                    : " has no column")
                            + ", and unknown.fields=refuse");
                }
            }
        }

        private void putRest(int first, int restFrom) {
            cells.from[first + cells.rest()] = restFrom;
            cells.lengths[first + cells.rest()] = cells.rests.size() - restFrom;
        }

        private static String shortened(String name) {
            return name.substring(0, Math.min(MOST_NAME, name.length()));
        }

        private static RefusedException refused(String reason) {
            return RefusedException.of("data", reason).with("sqlstate", DATA_EXCEPTION);
        }
    }
}
