package io.tidegate.connect.common.document;

import io.tidegate.connect.common.value.JsonPath;
import io.tidegate.connect.common.value.RefusedException;
import java.util.Optional;
import java.util.regex.Matcher;
import org.apache.kafka.connect.header.Header;
import org.apache.kafka.connect.sink.SinkRecord;

/** A piece of a template. Immutable. */
sealed interface TemplatePart {
    /**
     * The text for a record.
     *
     * @throws RefusedException when the record lacks it
     */
    String of(SinkRecord record, Optional<Matcher> topicMatch, RecordFields fields);

    default boolean isOfTopicOnly() {
        return false;
    }

    /** Text that every record gets. */
    record Literal(String text) implements TemplatePart {
        @Override
        public String of(SinkRecord record, Optional<Matcher> topicMatch, RecordFields fields) {
            return text;
        }

        @Override
        public boolean isOfTopicOnly() {
            return true;
        }
    }

    /** The record's topic. */
    record OfTopic() implements TemplatePart {
        @Override
        public String of(SinkRecord record, Optional<Matcher> topicMatch, RecordFields fields) {
            return record.topic();
        }

        @Override
        public boolean isOfTopicOnly() {
            return true;
        }
    }

    /** A group of the regular expression over the topic, by number or name. */
    record OfGroup(String name) implements TemplatePart {
        @Override
        public String of(SinkRecord record, Optional<Matcher> topicMatch, RecordFields fields) {
            String group = group(topicMatch.orElseThrow());
            return group == null ? "" : group; // the group is optional in the expression
        }

        @Override
        public boolean isOfTopicOnly() {
            return true;
        }

        private String group(Matcher match) {
            return Character.isDigit(name.charAt(0)) ? match.group(Integer.parseInt(name)) : match.group(name);
        }

        void check(Optional<Matcher> anyMatch) {
            if (anyMatch.isEmpty()) {
                throw new IllegalArgumentException(
                        "`${" + name + "}` is a group of the topic's regular expression, and none applies here");
            }
            try {
                group(anyMatch.get());
            } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
                throw new IllegalArgumentException(
                        "`${" + name + "}` is no group of the topic's regular expression", e);
            }
        }
    }

    /** The record's time, which is its timestamp unless the sink says otherwise. */
    record OfTimestamp(TimestampText text) implements TemplatePart {
        @Override
        public String of(SinkRecord record, Optional<Matcher> topicMatch, RecordFields fields) {
            return text.of(fields.timeOf(record)
                    .orElseThrow(() -> new RefusedException("the record has no timestamp"))
                    .toEpochMilli());
        }
    }

    /** The record's key. */
    record OfKey() implements TemplatePart {
        @Override
        public String of(SinkRecord record, Optional<Matcher> topicMatch, RecordFields fields) {
            return ScalarText.of("the key", record.key());
        }
    }

    /** The last header of a name. */
    record OfHeader(String name) implements TemplatePart {
        @Override
        public String of(SinkRecord record, Optional<Matcher> topicMatch, RecordFields fields) {
            Header header = record.headers().lastWithName(name);
            if (header == null) {
                throw new RefusedException("the record has no header " + name);
            }
            return ScalarText.of("the header " + name, header.value());
        }
    }

    /** A field of the record's value. */
    record OfField(JsonPath path) implements TemplatePart {
        @Override
        public String of(SinkRecord record, Optional<Matcher> topicMatch, RecordFields fields) {
            return ScalarText.of("the field " + path, fields.get(record, path));
        }
    }
}
