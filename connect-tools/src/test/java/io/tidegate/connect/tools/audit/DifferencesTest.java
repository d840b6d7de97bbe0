package io.tidegate.connect.tools.audit;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import org.junit.jupiter.api.Test;

class DifferencesTest {
    private static JsonNode json(String text) throws Exception {
        return new ObjectMapper().readTree(text.replace('\'', '"'));
    }

    private static List<String> ofDocuments(String expected, String found) throws Exception {
        return Differences.ofDocuments(json(expected), json(found)).stream()
                .map(Difference::toString)
                .toList();
    }

    private static List<String> ofColumns(String... columns) {
        return Differences.ofColumns(columns).stream().map(Difference::toString).toList();
    }

    @Test
    void namesThePathInADocument() throws Exception {
        assertThat(ofDocuments("{'a':{'b':[1,{'c':2}]},'d':1.0}", "{'a':{'b':[1,{'c':3}]},'d':1.00}"))
                .containsExactly("a.b[1].c: expected 2, found 3");
        assertThat(ofDocuments("{'a b':1}", "{'x':1}"))
                .containsExactly("[\"a b\"]: expected 1, found nothing", "x: expected nothing, found 1");
        assertThat(ofDocuments("{'a':[1,2]}", "{'a':[1]}")).containsExactly("a[1]: expected 2, found nothing");
        assertThat(ofDocuments("{'a':null}", "{'a':'null'}")).containsExactly("a: expected null, found \"null\"");
    }

    @Test
    void namesTheColumnAndThePathInIt() {
        assertThat(ofColumns("doc", "{\"v\": 1}", "{\"v\": 2}", "note", null, "x"))
                .containsExactly("doc.v: expected 1, found 2", "note: expected nothing, found x");
        // Text that differs only where JSON does not.
        assertThat(ofColumns("doc", "{\"v\":1}", "{\"v\": 1}"))
                .containsExactly("doc: expected {\"v\":1}, found {\"v\": 1}");
    }

    @Test
    void showsLittleOfLongValuesAndOfManyDifferences() {
        String same = "x".repeat(1_000);
        assertThat(ofColumns("doc", same + "a" + same, same + "b"))
                .containsExactly("doc: expected ..." + "x".repeat(20) + "a" + "x".repeat(59) + "..., found ..."
                        + "x".repeat(20) + "b");
        assertThat(ofColumns("a", "[1,2,3,4,5,6,7]", "[0,0,0,0,0,0,0]")).hasSize(5);
    }

    @Test
    void hidesWhatMayBeCredentials() throws Exception {
        assertThat(ofDocuments("{'user':{'password':{'new':'a'}},'apiKey':'k'}", "{'user':{'password':{'new':'b'}}}"))
                .containsExactly(
                        "user.password.new: expected (hidden), found (hidden)",
                        "apiKey: expected (hidden), found nothing");
        assertThat(ofDocuments("{'user':{'name':'n','password':'a'},'keys':[{'token':'t'}]}", "{}"))
                .containsExactly(
                        "user: expected {\"name\":\"n\",\"password\":\"(hidden)\"}, found nothing",
                        "keys: expected [{\"token\":\"(hidden)\"}], found nothing");
        assertThat(ofColumns("doc", null, "{\"password\": \"a\"}"))
                .containsExactly("doc: expected nothing, found {\"password\":\"(hidden)\"}");
        assertThat(ofColumns("doc", "{\"v\": 1}", "{\"password\": \"a\",\n \"v\": 1, \"cut"))
                .containsExactly("doc: expected {\"v\": 1}, found (hidden)");
        assertThat(ofColumns("auth_token", "a", "b")).containsExactly("auth_token: expected (hidden), found (hidden)");
    }
}
