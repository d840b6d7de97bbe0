package io.tidegate.connect.common.document;

import org.apache.kafka.connect.data.Field;
import org.apache.kafka.connect.data.Struct;

/** How a null in an optional field of a {@code Struct} is read if the field's schema has a default. */
public enum FieldDefaults {
    /** It stays null, as in the source. */
    IGNORED,
    /** It becomes the default. */
    APPLIED;

    /** Whether defaults count. */
    public static FieldDefaults appliedIf(boolean applied) {
        return applied ? APPLIED : IGNORED;
    }

    /** The value of a field. A required field without a value always has its default: it cannot be null. */
    Object valueOf(Struct struct, Field field) {
        boolean isNullable = field.schema().isOptional() && field.schema().defaultValue() != null;
        return this == IGNORED && isNullable ? struct.getWithoutDefault(field.name()) : struct.get(field);
    }
}
