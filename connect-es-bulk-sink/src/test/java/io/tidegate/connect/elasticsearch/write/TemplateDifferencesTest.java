package io.tidegate.connect.elasticsearch.write;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.connect.elasticsearch.client.FlatJson;
import java.io.ByteArrayInputStream;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class TemplateDifferencesTest {
    private static final String STORED = "{'index_patterns':['tides-*'],'template':{'settings':{'index':"
            + "{'number_of_replicas':'0','codec':'best_compression'}},'mappings':{'dynamic':'strict','properties':"
            + "{'level':{'type':'float'}}}},'composed_of':[]}";

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{'index_patterns':'tides-*'} | ",
                "{'index_patterns':['tides-*'],'template':{'settings':{'number_of_replicas':0}}} | ",
                "{'index_patterns':['tides-*'],'template':{'settings':{'index.number_of_replicas':0}}} | ",
                "{'index_patterns':['tides-*'],'template':{'mappings':{'_doc':{'properties':{'level':{'type':'float'}}}}}} | ",
                "{'index_patterns':['tides-*'],'template':{'mappings':{},'settings':{'refresh_interval':null}}} | ",
                "{'index_patterns':['tides-*','ebbs-*']} | index_patterns",
                "{'index_patterns':['ebbs-*']} | index_patterns",
                "{'index_patterns':['tides-*'],'template':{'settings':{'number_of_replicas':1}}} |"
                        + " template.settings.index.number_of_replicas",
                "{'index_patterns':['tides-*'],'template':{'mappings':{'properties':{'at':{'type':'date'}}}}} |"
                        + " template.mappings.properties.at.type"
            })
    void findsWhatTheServerLacks(String file, String place) {
        String answer = "{'index_templates':[{'name':'tidegate','index_template':" + STORED + "}]}";

        assertThat(TemplateDifferences.of(read(file), read(answer)))
                .hasSize(place == null ? 0 : 1)
                .allMatch(found -> found.equals(place));
    }

    private static Map<String, String> read(String json) {
        return FlatJson.read(new ByteArrayInputStream(json.replace('\'', '"').getBytes(UTF_8)));
    }
}
