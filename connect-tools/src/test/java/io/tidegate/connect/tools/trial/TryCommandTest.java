package io.tidegate.connect.tools.trial;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.connect.tools.CommandRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command without any server. */
final class TryCommandTest {
    private static final String POSTGRES = "\"connector.class\":\"JsonbSink\",\"topics\":\"tides\","
            + "\"connection.url\":\"jdbc:postgresql://localhost:1/t\",\"table.name.format\":\"${topic}\"";
    private static final String BYTES =
            ",\"value.converter\":\"org.apache.kafka.connect.converters.ByteArrayConverter\",\"key.converter\":"
                    + "\"org.apache.kafka.connect.storage.StringConverter\"";
    private static final String JSON_VALUES =
            ",\"key.converter\":\"org.apache.kafka.connect.storage.StringConverter\",\"value.converter\":"
                    + "\"org.apache.kafka.connect.json.JsonConverter\",\"value.converter.schemas.enable\":\"false\"";

    @TempDir
    private Path folder;

    @Test
    void showsRowsOfAFileWithoutTheServer() throws IOException {
        CommandRun run = run(
                POSTGRES + BYTES
                        + ",\"pk.mode\":\"record_key\",\"pk.fields\":\"id\",\"metadata.columns\":\"offset:at\"",
                "a|{\"m\":1.5}\nb|no json\n",
                "--key-separator",
                "|");

        assertThat(run.err()).isEmpty();
        assertThat(run.out())
                .contains("sink: 2 records, tried on PostgreSQL localhost:1/t")
                .contains("2 into \"tides\"")
                .contains("tides-0@0\n  table: \"tides\"\n  action: insert\n  key: a\n  id = a\n  at = 0\n"
                        + "  document: {\"m\":1.5}")
                .contains("The server was not asked");
        assertThat(run.status()).isZero();
    }

    @Test
    void runsConvertersTransformsAndPredicates() throws IOException {
        CommandRun run = run(
                POSTGRES + JSON_VALUES + ",\"transforms\":\"drop,route\",\"predicates\":\"none\","
                        + "\"predicates.none.type\":\"RecordIsTombstone\","
                        + "\"transforms.drop.type\":\"Filter\",\"transforms.drop.predicate\":\"none\","
                        + "\"transforms.route.type\":\"RegexRouter\",\"transforms.route.regex\":\"t.*\","
                        + "\"transforms.route.replacement\":\"routed\",\"errors.tolerance\":\"all\"",
                "{\"m\":1}\n{\"m\":\nnull\n");

        assertThat(run.out())
                .contains("1 into \"routed\"")
                .contains("1 dropped by a transform")
                .contains("1 not converted")
                .contains("VALUE_CONVERTER org.apache.kafka.connect.json.JsonConverter")
                .contains("tides-0@0\n  table: \"routed\"");
        assertThat(run.status()).isEqualTo(1);
    }

    @Test
    void showsBulkLinesAndReasonsAsJson() throws IOException {
        CommandRun run = run(
                "\"connector.class\":\"io.tidegate.connect.elasticsearch.ElasticsearchBulkSinkConnector\","
                        + "\"topics\":\"tides\",\"connection.url\":\"http://localhost:1\"" + BYTES,
                "a|{\"m\":1}\nb|\u00ff\n",
                "--key-separator",
                "|",
                "--json");

        assertThat(run.err()).isEmpty();
        assertThat(run.out())
                .contains("\"action\" : \"{\\\"index\\\":{\\\"_index\\\":\\\"tides\\\"")
                .contains("\"source\" : \"{\\\"m\\\":1}\"")
                .startsWith("{\n  \"version\" : 1,");
    }

    @Test
    void writesAPage() throws IOException {
        Path page = folder.resolve("page.html");
        CommandRun run = run(POSTGRES + BYTES, "{\"m\":\"<b>\"}\n", "--html", page.toString());

        assertThat(run.err()).isEmpty();
        assertThat(page).content().contains("<title>sink</title>", "{&quot;m&quot;:&quot;&lt;b&gt;&quot;}");
    }

    @Test
    void resolvesConfigurationProviders() throws IOException {
        Path secrets = Files.writeString(folder.resolve("secrets.properties"), "table=hidden\n");

        assertThat(run(POSTGRES.replace("${topic}", "${file:" + secrets + ":table}") + BYTES, "{}\n")
                        .out())
                .contains("1 into \"hidden\"");
        assertThat(run(POSTGRES.replace("${topic}", "${vault:a:b}") + BYTES, "{}\n")
                        .err())
                .isEqualTo(
                        "tidegate: table.name.format refers to the configuration provider 'vault', which is not known"
                                + " here: give --worker a file with the worker's config.providers, and --plugin-path or --lib the"
                                + " folder with the provider's jar\n");
        assertThat(run(POSTGRES.replace("${topic}", "${env:NOT_SET}") + BYTES, "{}\n")
                        .err())
                .isEqualTo(
                        "tidegate: table.name.format refers to ${env:NOT_SET}, and the configuration provider 'env' has"
                                + " no value for it here: set the environment variable, as the worker has it\n");
        assertThat(run(POSTGRES.replace("${topic}", "${file:" + folder.resolve("absent") + ":table}") + BYTES, "{}\n")
                        .err())
                .startsWith("tidegate: table.name.format refers to a value that its configuration provider cannot read"
                        + " here: ");
    }

    @Test
    void leavesThePlacesOfTemplates() throws IOException {
        assertThat(run(
                                POSTGRES.replace("${topic}", "${field:$.site}_${timestamp:yyyy}") + BYTES,
                                "{\"site\":\"oslo\"}\n")
                        .out())
                .contains("1 into \"oslo_");
    }

    @Test
    void takesConvertersOfTheWorker() throws IOException {
        Path worker = Files.writeString(folder.resolve("worker.properties"), """
                key.converter=org.apache.kafka.connect.storage.StringConverter
                value.converter=org.apache.kafka.connect.json.JsonConverter
                value.converter.schemas.enable=false
                """);

        assertThat(run(POSTGRES, "{\"m\": 1}\n", "--worker", worker.toString()).out())
                .contains("document: {\"m\":1}");
        assertThat(run(POSTGRES, "{}\n").err()).contains("has no key.converter", "use --worker FILE");
    }

    @Test
    void saysWhatIsWrongInOneLine() throws IOException {
        assertThat(run(POSTGRES + BYTES + ",\"insert.mode\":\"up\"", "{}\n").err())
                .contains("Connect would not take connector sink", "insert.mode: ");
        assertThat(run("\"connector.class\":\"Other\"", "{}\n").err())
                .contains("connector.class is Other, which is none of", "JsonbSinkConnector");
        CommandRun wrong = CommandRun.of("try", "absent.json", "--from", "soon");
        assertThat(wrong.err()).contains("'soon' is not earliest").contains("see tidegate try --help");
        assertThat(wrong.status()).isEqualTo(2);
        CommandRun noKafka = CommandRun.of("try", sink(POSTGRES + BYTES).toString(), "--offline");
        assertThat(noKafka.err()).contains("Kafka's address is missing");
        assertThat(noKafka.status()).isEqualTo(2);
    }

    private CommandRun run(String settings, String lines, String... more) throws IOException {
        Path input = Files.writeString(folder.resolve("records"), lines);
        List<String> args =
                new ArrayList<>(List.of("try", sink(settings).toString(), "--input", input.toString(), "--offline"));
        args.addAll(Arrays.asList(more));
        return CommandRun.of(args.toArray(String[]::new));
    }

    private Path sink(String settings) throws IOException {
        return Files.writeString(folder.resolve("sink.json"), "{" + settings + "}");
    }
}
