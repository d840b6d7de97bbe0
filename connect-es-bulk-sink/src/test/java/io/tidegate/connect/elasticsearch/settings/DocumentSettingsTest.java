package io.tidegate.connect.elasticsearch.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.connect.common.document.NullValues;
import io.tidegate.connect.common.document.Template;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.config.ConfigException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class DocumentSettingsTest {
    @Test
    void defaults() {
        assertThat(settings(Map.of()))
                .isEqualTo(new DocumentSettings(
                        IdSource.KEY,
                        NullValues.FAIL,
                        WriteMethod.INDEX,
                        Optional.empty(),
                        VersionSource.OFFSET,
                        Optional.empty(),
                        false,
                        List.of(),
                        EventTime.OF_TIMESTAMP,
                        false));
    }

    @Test
    void allKeys() {
        Map<String, String> props = Map.ofEntries(
                Map.entry("key.ignore", "true"),
                Map.entry("document.id", "${field:$.id}-${header:part}"),
                Map.entry("behavior.on.null.values", "delete"),
                Map.entry("write.method", "upsert"),
                Map.entry("external.version", "${header:version}"),
                Map.entry("external.version.type", "external_gte"),
                Map.entry("routing", "${key}"),
                Map.entry("metadata.fields", "offset, key:record key"),
                Map.entry("event.time", "${field:$.t},${header:t}"),
                Map.entry("event.time.unit", "micros"),
                Map.entry("behavior.on.missing.event.time", "fail"));
        assertThat(settings(props))
                .isEqualTo(new DocumentSettings(
                        IdSource.of(Template.parse("${field:$.id}-${header:part}")),
                        NullValues.DELETE,
                        WriteMethod.UPSERT,
                        Optional.empty(),
                        VersionSource.of(Template.parse("${header:version}"))
                                .comparedBy(VersionSource.Type.EXTERNAL_GTE),
                        Optional.of(Template.parse("${key}")),
                        false,
                        List.of(
                                new MetadataField(MetadataField.Source.OFFSET, List.of("kafka", "offset")),
                                new MetadataField(MetadataField.Source.KEY, List.of("record key"))),
                        new EventTime(
                                List.of(Template.parse("${field:$.t}"), Template.parse("${header:t}")),
                                EventTime.Unit.MICROS,
                                EventTime.Otherwise.FAIL),
                        false));
    }

    @Test
    void takesIdsFromKeysOrCoordinatesAsKeyIgnoreSaysUnlessToldOtherwise() {
        assertThat(settings(Map.of("key.ignore", "true")).id()).isEqualTo(IdSource.COORDINATES);
        assertThat(settings(Map.of("key.ignore", "true", "document.id", "key")).id())
                .isEqualTo(IdSource.KEY);
        assertThat(settings(Map.of("document.id", "coordinates")).id()).isEqualTo(IdSource.COORDINATES);
        assertThat(settings(Map.of("document.id", "none")).id()).isEqualTo(IdSource.NONE);
    }

    @Test
    void takesOffsetsForVersionsOnlyWhereIdsComeFromKeysAndDocumentsAreReplaced() {
        for (Map<String, String> props : List.of(
                Map.of("key.ignore", "true", "write.method", "create"),
                Map.of("document.id", "${header:id}"),
                Map.of("write.method", "create"),
                Map.of("write.method", "upsert"),
                Map.of("external.version", "none"))) {
            assertThat(settings(props).version()).as("%s", props).isEqualTo(VersionSource.NONE);
        }
        assertThat(settings(Map.of("key.ignore", "true")).version()).isEqualTo(VersionSource.LOG);
        assertThat(settings(Map.of("key.ignore", "true", "write.method", "${header:op}"))
                        .version())
                .isEqualTo(VersionSource.LOG);
        assertThat(settings(Map.of("key.ignore", "true", "external.version", "offset"))
                        .version())
                .isEqualTo(VersionSource.OFFSET);
    }

    @Test
    void compactsABatchOnlyWhereTheLastRecordOfAnIdCounts() {
        assertThat(settings(Map.of()).lastWriteWins()).isTrue();
        assertThat(settings(Map.of("key.ignore", "true")).lastWriteWins()).isFalse();
        assertThat(settings(Map.of("write.method", "create")).lastWriteWins()).isFalse();
        assertThat(settings(Map.of("write.method", "update")).lastWriteWins()).isFalse();
        assertThat(settings(Map.of("external.version", "${header:v}")).lastWriteWins())
                .isFalse();
    }

    @Test
    void sendsDocumentsOfOneIdOneAfterTheOtherWhereTheyDoNotReplaceEachOther() {
        assertThat(settings(Map.of("write.method", "upsert")).isOrderedById()).isFalse();
        assertThat(settings(Map.of("write.method", "create")).isOrderedById()).isTrue();
        assertThat(settings(Map.of("write.method", "create", "key.ignore", "true"))
                        .isOrderedById())
                .isFalse();
        assertThat(settings(Map.of()).isOrderedById()).isFalse();
        assertThat(settings(Map.of("external.version.type", "external_gte")).isOrderedById())
                .isFalse();
        assertThat(settings(Map.of("external.version.type", "external_gte", "external.version", "${header:v}"))
                        .isOrderedById())
                .isTrue();
        assertThat(settings(Map.of("external.version", "source_position")).isOrderedById())
                .isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "document.id, field, it is none of auto",
        "document.id, ${1}, is a group",
        "external.version, 7, it is none of auto",
        "external.version, ${field:$.*}, is not a path",
        "routing, fixed, it is none of per_request",
        "write.method, replace, 'it is none of index, create, update, upsert, insert'",
        "write.method, delete, it is none of index",
        "write.method, ${1}, is a group",
        "event.time, fixed, it is no template",
        "event.time, ${timestamp:yyyy}, is a date; the time itself is needed",
        "metadata.fields, size, `size` is none of topic",
        "metadata.fields, offset:a..b, names no field",
        "metadata.fields, offset:_id, is a field of Elasticsearch's own",
        "metadata.fields, 'offset:a,topic:a.b', cannot have both `a` and `a.b`",
        "metadata.fields, 'offset,offset', cannot have both"
    })
    void refusesWhatIsNoTemplate(String key, String value, String reason) {
        assertThatThrownBy(() -> settings(Map.of(key, value)))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(key)
                .hasMessageContaining(reason);
    }

    @Test
    void knowsConfluentsNameForIndex() {
        assertThat(settings(Map.of("write.method", "insert")).writeMethod()).isEqualTo(WriteMethod.INDEX);
        assertThat(settings(Map.of("write.method", "Insert")).writeMethod()).isEqualTo(WriteMethod.INDEX);
    }

    @Test
    void takesWriteMethodsFromRecords() {
        DocumentSettings settings = settings(Map.of("write.method", "${header:op}"));
        assertThat(settings.methodOfRecord()).contains(Template.parse("${header:op}"));
        assertThat(settings.version()).isEqualTo(VersionSource.NONE);
        assertThat(settings.lastWriteWins()).isFalse();
        assertThat(settings.isOrderedById()).isTrue();
    }

    @Test
    void readsEnumerationsInAnyCase() {
        DocumentSettings settings = settings(Map.of("write.method", "UPSERT", "behavior.on.null.values", "Delete"));

        assertThat(settings.writeMethod()).isEqualTo(WriteMethod.UPSERT);
        assertThat(settings.nullValues()).isEqualTo(NullValues.DELETE);
    }

    private static DocumentSettings settings(Map<String, String> props) {
        return DocumentSettings.from(Parsed.config(DocumentSettings::define, props));
    }
}
