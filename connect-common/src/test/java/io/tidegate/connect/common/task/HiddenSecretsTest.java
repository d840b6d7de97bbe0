package io.tidegate.connect.common.task;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class HiddenSecretsTest {
    @Test
    void hidesPasswordsAmongTheParametersOfAnAddress() {
        assertThat(HiddenSecrets.in("jdbc:postgresql://a,b/db?user=me&password=hunter2&sslpassword=x&ssl=true"))
                .isEqualTo("jdbc:postgresql://a,b/db?user=me&password=[hidden]&sslpassword=[hidden]&ssl=true");
        assertThat(HiddenSecrets.in("https://a/?api_key=abc")).isEqualTo("https://a/?api_key=[hidden]");
    }

    @Test
    void hidesThePasswordBeforeAHost() {
        assertThat(HiddenSecrets.in("https://me:hunter2@a:9200,https://me:h:@b/x"))
                .isEqualTo("https://me:[hidden]@a:9200,https://me:[hidden]@b/x");
    }

    @Test
    void hidesAPasswordThatAUrlMustNotHave() {
        assertThat(HiddenSecrets.in("Invalid value https://me:hun/te#r?2@a:9200 for configuration connection.url: a"))
                .isEqualTo("Invalid value https://me:[hidden]@a:9200 for configuration connection.url: a");
    }

    @Test
    void leavesEverythingElseAsItIs() {
        for (String text : new String[] {
            "",
            "https://a:9200/x@y",
            "https://[::1]:9200/x@y",
            "jdbc:postgresql://[::1]:5432/db?passfile=/a",
            "station:$.metadata.id::text"
        }) {
            assertThat(HiddenSecrets.in(text)).isEqualTo(text);
        }
    }
}
