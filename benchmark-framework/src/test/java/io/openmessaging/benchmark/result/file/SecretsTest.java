package io.openmessaging.benchmark.result.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class SecretsTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "ssl.key.password=hunter2             | ssl.key.password=***",
                "ssl.truststore.password : hunter2    | ssl.truststore.password : ***",
                "ssl.keystore.password hunter2        | ssl.keystore.password ***",
                "#sasl.password=hunter2               | #sasl.password=***",
                "-Djavax.net.ssl.keyStorePassword=x   | -Djavax.net.ssl.keyStorePassword=***",
                "client_secret=a=b                    | client_secret=***",
                "authParams=token:abc                 | authParams=***",
                "ssl.keystore.key=-----BEGIN          | ssl.keystore.key=***",
                "token:eyJhbGciOiJ.x.y                | token:***",
                "amqp://guest:hunter2@broker:5672/%2f | amqp://guest:***@broker:5672/%2f",
                "Login required password=\"hunter 2\"; | Login required password=***;",
                "https://host/?user=a&password=b&c=d  | https://host/?user=a&password=***&c=d",
                "bootstrap.servers=localhost:9092     | bootstrap.servers=localhost:9092",
                "pulsar://localhost:6650              | pulsar://localhost:6650",
                "requirepass hunter2                  | requirepass ***",
                "default_pass = hunter2               | default_pass = ***",
                "redisPass=hunter2                    | redisPass=***",
                "ssl.key.password=${env:KEY_PASSWORD} | ssl.key.password=${env:KEY_PASSWORD}",
                "ssl.key.password=${env:A}hunter2     | ssl.key.password=***",
                "batch.size=1000                      | batch.size=1000",
                "-Xmx1g                               | -Xmx1g"
            })
    void masksInText(String text, String masked) {
        assertThat(Secrets.mask(text)).isEqualTo(masked);
    }

    @Test
    void masksALogicalLineToItsEnd() {
        String text = """
                acks=all
                sasl.jaas.config=org.example.Login required \\
                  username="me" \\
                  password="hunter2";
                linger.ms=1
                """;

        assertThat(Secrets.mask(text)).isEqualTo("""
                acks=all
                sasl.jaas.config=***
                linger.ms=1
                """);
    }

    @Test
    void takesAnEscapedBackslashForTheEndOfALine() {
        assertThat(Secrets.mask("password=a\\\\\nlinger.ms=1")).isEqualTo("password=***\nlinger.ms=1");
    }

    @Test
    void masksLinesThatEndLikeOnWindows() {
        assertThat(Secrets.mask("password=a\\\r\n  b\r\nlinger.ms=1\r\n")).isEqualTo("password=***\nlinger.ms=1\r\n");
    }

    @Test
    void masksAtEveryDepthAndKeepsEverythingElse() {
        Map<String, @Nullable Object> settings = new LinkedHashMap<>();
        settings.put("name", "x");
        settings.put("password", 12345L);
        settings.put("secretRef", Map.of("name", "inner"));
        settings.put("empty", null);
        settings.put("uris", List.of("amqp://a:b@c", "amqp://d"));
        settings.put("auth", Map.of("data", "token:abc"));
        settings.put("nodes", 3L);

        Map<String, @Nullable Object> expected = new LinkedHashMap<>();
        expected.put("name", "x");
        expected.put("password", "***");
        expected.put("secretRef", "***");
        expected.put("empty", null);
        expected.put("uris", List.of("amqp://a:***@c", "amqp://d"));
        expected.put("auth", Map.of("data", "token:***"));
        expected.put("nodes", 3L);
        assertThat(Secrets.mask(settings)).containsExactlyEntriesOf(expected);
    }
}
