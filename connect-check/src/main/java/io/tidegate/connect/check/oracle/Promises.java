package io.tidegate.connect.check.oracle;

import java.util.List;
import java.util.Optional;

/**
 * What a configuration promises, in words that fit any sink.
 *
 * @param delivery how often a record without identity may be stored
 * @param identity what identifies a row or document
 * @param writing how a record changes the row or document with its identity
 * @param deletes whether a record without a value deletes
 * @param nulls how a record without a value is handled if it does not delete
 * @param newer which of two records of an identity is the newer one
 * @param inOrder whether the rows of a partition are stored in its order
 * @param placed whether a row with coordinates has those of the record that wrote it last
 * @param lettered whether a refused record becomes a dead letter
 * @param reading how records are read
 * @param destination how records are distributed
 */
public record Promises(
        Delivery delivery,
        Identity identity,
        Writing writing,
        boolean deletes,
        Nulls nulls,
        Newer newer,
        boolean inOrder,
        boolean placed,
        boolean lettered,
        Reading reading,
        Destination destination) {
    /** How often. */
    public enum Delivery {
        EXACTLY_ONCE,
        AT_LEAST_ONCE
    }

    /** By what. */
    public enum Identity {
        NONE,
        COORDINATES,
        KEY,
        FIELD
    }

    /** What a record does to the row or document with its identity. */
    public enum Writing {
        /** Adds one more. */
        APPEND,
        /** The last record counts. */
        REPLACE,
        /** The first record counts. */
        KEEP,
        /** Top-level fields of the record replace those of the row. */
        MERGE,
        /** The same, also within nested objects. */
        MERGE_DEEP
    }

    /** Records without a value. */
    public enum Nulls {
        SKIPPED,
        REFUSED
    }

    /** Which of two records is newer, whatever order they come in. */
    public enum Newer {
        /** The one that comes later. */
        BY_ORDER,
        /** Within one partition the one with the higher offset, otherwise the one that comes later. */
        BY_OFFSET_OF_PARTITION,
        /** The one with the higher offset, whatever the partition; of equals the first. */
        BY_OFFSET,
        /** The one with the higher number in the field {@code version}; of equals the later one. */
        BY_VERSION,
        /** The change event with the higher position in the source; of equals the later one. A row that was deleted has none. */
        BY_POSITION_OF_ROW,
        /** The same, and that of a deletion counts, too. */
        BY_POSITION
    }

    /**
     * Where a record goes.
     *
     * @param template with {@code ${topic}}, {@code ${header:dest}} and {@code ${1}}
     * @param map topics that go elsewhere
     * @param regex whose groups the template uses
     * @param lowerCase whether names become lower case
     */
    public record Destination(
            String template, java.util.Map<String, String> map, Optional<String> regex, boolean lowerCase) {}

    /**
     * How records are read.
     *
     * @param value the form of values
     * @param converted whether Connect's converter reads the JSON, so that it refuses what is none
     * @param keyIsNeeded whether a record without a usable key is refused
     * @param unstorable what happens to characters that the store does not take
     * @param objectsOnly whether a value must be an object
     * @param integerFields fields of which the store takes whole numbers only
     * @param vectorFields fields of which the store takes arrays of {@value #DIMENSIONS} numbers only
     * @param framed whether values may begin with a frame of five bytes
     * @param droppedHeader the header with which a transform drops a record
     * @param dropsNulls whether a transform drops records without a value
     * @param identityField the field that identifies, with {@link Identity#FIELD}
     * @param longestKey in bytes
     * @param nullsAreMissing whether a first-level field that is null may be stored like one that is missing
     * @param truncatesAreSkipped whether the event that a table was emptied is skipped and not refused
     * @param unavailable what happens to a field of which an event has a placeholder only
     */
    public record Reading(
            ValueForm value,
            boolean converted,
            boolean keyIsNeeded,
            Unstorable unstorable,
            boolean objectsOnly,
            List<String> integerFields,
            List<String> vectorFields,
            boolean framed,
            Optional<String> droppedHeader,
            boolean dropsNulls,
            String identityField,
            int longestKey,
            boolean nullsAreMissing,
            boolean truncatesAreSkipped,
            Unavailable unavailable) {
        /** The length of each vector. */
        public static final int DIMENSIONS = 3;
    }

    /** What happens to a field that an update did not change and of which the event has a placeholder only. */
    public enum Unavailable {
        REFUSED,
        STORED,
        LEFT_OUT
    }

    /** The form of values in Kafka. */
    public enum ValueForm {
        JSON,
        JSON_WITH_SCHEMA,
        AVRO,
        DEBEZIUM
    }

    /** What happens to NUL and half surrogate pairs. */
    public enum Unstorable {
        STORED,
        REFUSED,
        REPLACED,
        STRIPPED
    }
}
