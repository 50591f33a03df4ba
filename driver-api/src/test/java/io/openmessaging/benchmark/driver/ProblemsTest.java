package io.openmessaging.benchmark.driver;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProblemsTest {

    private final Problems problems = new Problems();

    @ParameterizedTest
    @ValueSource(strings = {"a:1", "a_b-1.example:65535", "127.0.0.1:6379", "[::1]:9092", "::1:6379", "fe80::1:2:80"})
    void theseAreAddresses(String address) {
        problems.address("at", address);
        assertThat(problems.found()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "a",
                ":1",
                "a:",
                "a:0",
                "a:65536",
                "a:123456",
                "a:b",
                "a:-1",
                "a:1:2",
                "http://a:1",
                "a b:1",
                "a,b:1",
                "[]:1"
            })
    void theseAreNot(String address) {
        problems.address("at", address);
        assertThat(problems.found()).hasToString("[at: must be host:port, got '" + address + "']");
    }

    @Test
    void aFileHasToBeThereIfThereIsOne(@TempDir Path folder) {
        problems.readable("none", null);
        problems.readable("there", folder.toString());
        assertThat(problems.found()).isEmpty();
        problems.below("tls").readable("store", "/no/such/file");
        assertThat(problems.found()).hasToString("[tls.store: must be a file that can be read, got '/no/such/file']");
    }
}
