package io.tidegate.connect.common.books;

import io.tidegate.connect.common.offset.Progress;

/** Another task has claimed a partition that this one still holds. */
public final class FencedException extends Exception {
    private static final long serialVersionUID = 1L;

    FencedException(Progress partition) {
        super(partition
                + " has been claimed by another task; this one writes nothing before it has learnt whose it is");
    }
}
