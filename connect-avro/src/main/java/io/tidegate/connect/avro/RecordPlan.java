package io.tidegate.connect.avro;

import java.util.List;

/** A record as an object. Its fields are set once, after plans that contain this one: a record may contain itself. */
final class RecordPlan implements Plan {
    private byte[][] names = new byte[0][]; // each with its quotes and colon, and a comma before all but the first
    private Plan[] values = new Plan[0];

    void setFields(List<String> fieldNames, List<Plan> plans) {
        names = Names.of(fieldNames);
        values = plans.toArray(new Plan[0]);
    }

    @Override
    public void write(AvroInput in, JsonOutput out) {
        out.open('{');
        for (int field = 0; field < values.length; field++) {
            out.raw(names[field]);
            values[field].write(in, out);
        }
        out.close('}');
    }
}
