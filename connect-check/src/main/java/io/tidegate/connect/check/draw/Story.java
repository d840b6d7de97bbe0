package io.tidegate.connect.check.draw;

import java.util.Map;

/**
 * What a history may contain, so that the oracle knows what must be stored.
 *
 * @param keyed whether the record's key identifies
 * @param byField whether the field {@code id} identifies
 * @param moves whether an identity may move to another partition or topic
 * @param nulls whether records without a value may come
 * @param versioned whether each document must be an object with a version
 * @param search whether the store is a search server
 * @param sameTable whether all topics lead to one destination
 * @param destinations how many values the header {@code dest} has, 0 for no such header
 * @param drops whether some records may have the header with which a transform drops them
 * @param clean whether every value can be stored
 */
record Story(
        Form form,
        boolean keyed,
        boolean byField,
        boolean moves,
        boolean nulls,
        boolean versioned,
        boolean search,
        boolean sameTable,
        int destinations,
        boolean drops,
        boolean clean,
        Map<String, Integer> topics) {}
