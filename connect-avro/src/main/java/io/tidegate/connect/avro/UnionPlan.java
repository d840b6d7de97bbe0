package io.tidegate.connect.avro;

import java.util.ArrayList;
import java.util.List;

/**
 * A union of several types as an object with a field for each, of which one is not null, as converters make a struct of
 * it. Its null is null.
 */
final class UnionPlan implements Plan {
    private static final Plan NO_VALUE = (in, out) -> out.nothing();

    private final Plan[] branches;
    private final byte[][] before; // by branch: the object up to its value
    private final byte[][] after; // by branch: the object behind its value

    /**
     * A plan of these branches.
     *
     * @param names of the branches; the name of null is not used
     * @param isNull which branches are null
     */
    UnionPlan(List<String> names, List<Plan> plans, List<Boolean> isNull) {
        branches = new Plan[plans.size()];
        before = new byte[branches.length][];
        after = new byte[branches.length][];
        List<Integer> fields = new ArrayList<>();
        for (int branch = 0; branch < branches.length; branch++) {
            branches[branch] = isNull.get(branch) ? NO_VALUE : plans.get(branch);
            if (!isNull.get(branch)) {
                fields.add(branch);
            }
        }
        byte[][] quoted = Names.of(fields.stream().map(names::get).toList());
        for (int field = 0; field < quoted.length; field++) {
            before[fields.get(field)] = part(quoted, 0, field, true);
            after[fields.get(field)] = part(quoted, field + 1, quoted.length, false);
        }
    }

    /** These fields with nulls, and the name of the next one if it follows. */
    private static byte[] part(byte[][] quoted, int from, int to, boolean isNextNamed) {
        JsonOutput out = new JsonOutput();
        for (int field = from; field < to; field++) {
            out.raw(quoted[field]);
            out.nothing();
        }
        if (isNextNamed) {
            out.raw(quoted[to]);
        }
        return out.document().bytes();
    }

    @Override
    public void write(AvroInput in, JsonOutput out) {
        int branch = in.readIndex(branches.length, "a union's branch");
        if (before[branch] == null) {
            branches[branch].write(in, out);
            return;
        }
        out.open('{');
        out.raw(before[branch]);
        branches[branch].write(in, out);
        out.raw(after[branch]);
        out.close('}');
    }
}
