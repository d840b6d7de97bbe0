package io.tidegate.connect.jsonb.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TableSettingsTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "topics=a; table.name.format=all                                                      | false",
                "topics=a; transforms=x; transforms.x.type=com.example.Router                         | false",
                "topics=a,b                                                                           | false",
                "topics=a,b; table.name.format=all                                                    | true",
                "topics=a,b; table.name.format=${topic}_${timestamp:yyyy}                             | false",
                "topics=a,b; table.name.format=${field:$.site}                                        | true",
                "topics=a,b; topic.table.map=a:x,b:y                                                  | false",
                "topics=a,b; topic.table.map=a:b                                                      | true",
                "topics=a.x,b.x; topic.table.regex=(.+)\\.(.+); table.name.format=${1}                  | false",
                "topics=a.x,b.x; topic.table.regex=(.+)\\.(.+); table.name.format=${2}                  | true",
                "topics=a,b; transforms=x; transforms.x.type=com.example.Router                       | true",
                "topics=a,b; transforms=x; transforms.x.type=org.apache.kafka.connect.transforms.Cast | false",
                "topics=a,b; transforms=x; transforms.x.type=io.debezium.transforms.ExtractNewRecordState | false",
                "topics.regex=a.*                                                                     | false",
                "topics.regex=a.*; table.name.format=all                                              | true",
                "topics.regex=a.*; topic.table.map=a:b                                                | true",
                "topics.regex=a.*; transforms=x; transforms.x.type=com.example.Router                 | true"
            })
    void tellsWhetherTopicsMayShareATable(String settings, boolean isShared) {
        Map<String, String> props = Arrays.stream(settings.split("; "))
                .map(setting -> setting.split("=", 2))
                .collect(Collectors.toMap(setting -> setting[0], setting -> setting[1].strip()));

        TableSettings tables =
                TableSettings.from(new AbstractConfig(TableSettings.define(new ConfigDef()), props, false));

        assertThat(tables.isShared(props)).isEqualTo(isShared);
    }
}
