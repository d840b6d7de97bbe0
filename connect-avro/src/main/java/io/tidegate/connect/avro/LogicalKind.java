package io.tidegate.connect.avro;

import java.util.Locale;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.Schema.Type;

/** The logical types that Connect knows. Values of others are written as their plain type, as converters deliver them. */
enum LogicalKind {
    NONE,
    DECIMAL,
    DATE,
    TIME,
    TIMESTAMP;

    /** By Avro's name of the logical type, or by the name of Connect's, which its converters write as a property. */
    static LogicalKind of(Schema schema) {
        String avro = String.valueOf(schema.getProp("logicalType")).toLowerCase(Locale.ROOT);
        String connect = String.valueOf(schema.getObjectProp("connect.name"));
        Type type = schema.getType();
        boolean isBytes = type == Type.BYTES || type == Type.FIXED;
        if (isBytes && is("decimal", avro, "Decimal", connect)) {
            return DECIMAL;
        }
        if (type == Type.INT && is("date", avro, "Date", connect)) {
            return DATE;
        }
        if (type == Type.INT && is("time-millis", avro, "Time", connect)) {
            return TIME;
        }
        if (type == Type.LONG && is("timestamp-millis", avro, "Timestamp", connect)) {
            return TIMESTAMP;
        }
        return NONE;
    }

    private static boolean is(String avroName, String avro, String connectName, String connect) {
        return avroName.equals(avro) || connect.equals("org.apache.kafka.connect.data." + connectName);
    }

    /**
     * The scale of a decimal, 0 by default.
     *
     * @throws UnfitException when it is beyond what is written
     */
    static int scaleOf(Schema schema) {
        Object scale = schema.getObjectProp("scale");
        if (scale == null && schema.getObjectProp("connect.parameters") instanceof Map<?, ?> parameters) {
            scale = parameters.get("scale");
        }
        int number;
        try {
            number =
                    scale instanceof Number found ? found.intValue() : scale == null ? 0 : Integer.parseInt(scale + "");
        } catch (NumberFormatException e) {
            throw new UnfitException("a decimal has a scale that is no number");
        }
        if (Math.abs((long) number) > JsonOutput.MAX_SCALE) {
            throw new UnfitException(
                    "a decimal has the scale " + number + "; at most " + JsonOutput.MAX_SCALE + " is written");
        }
        return number;
    }
}
