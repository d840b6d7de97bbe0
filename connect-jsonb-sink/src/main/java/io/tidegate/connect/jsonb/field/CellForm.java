package io.tidegate.connect.jsonb.field;

import io.tidegate.connect.jsonb.row.WireType;

/** How the fields of rows are sent. JSON is a text in each form, with its quotes. */
public enum CellForm {
    /** As columns of a binary {@code COPY}. */
    COLUMN {
        @Override
        WireType of(WireType wire) {
            return wire;
        }
    },
    /** As elements of arrays. */
    ELEMENT {
        @Override
        WireType of(WireType wire) {
            return wire.asElement();
        }
    },
    /** As text for columns of any type, because the server's catalogue is not known. */
    TEXT {
        @Override
        WireType of(WireType wire) {
            return wire == WireType.JSON ? wire : WireType.TEXT;
        }
    };

    /** How a value is sent that is sent so in the column of its type. */
    abstract WireType of(WireType wire);
}
