package io.openmessaging.benchmark.driver.testkit.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ShippedDriverFileTest {

    /** A configuration of one key. */
    public record Config(String address) {}

    @TempDir
    Path folder;

    private ShippedDriverFile file(String yaml) throws Exception {
        Files.writeString(folder.resolve("a.yaml"), yaml);
        return ShippedDriverFile.allIn(folder).get(0);
    }

    @Test
    void allAreFoundInTheOrderOfTheirNames() throws Exception {
        for (String name : List.of("b.yaml", "a.yaml", "README.md")) {
            Files.writeString(folder.resolve(name), "name: " + name);
        }
        assertThat(ShippedDriverFile.allIn(folder))
                .extracting(file -> file.text("name"))
                .containsExactly("a.yaml", "b.yaml");
    }

    @Test
    void theDriversPartIsBound() throws Exception {
        ShippedDriverFile file = file("""
                name: A
                driverClass: b.C
                localBroker: {nodes: 3}
                metrics: {broker: []}
                limits: {broker: {cpus: 1}}
                address: d:1
                """);
        assertThat(file.config(Config.class)).isEqualTo(new Config("d:1"));
    }

    @Test
    void anUnknownKeyIsRefused() throws Exception {
        ShippedDriverFile file = file("name: A\nadress: d:1\n");
        assertThatThrownBy(() -> file.config(Config.class)).hasMessageContaining("adress");
    }

    @Test
    void theBrokerOfTheFileIsTold() throws Exception {
        ShippedDriverFile file = file("localBroker: {nodes: 3, settings: {flush: always, size: 5}}");
        assertThat(file.brokerNodes()).isEqualTo(3);
        assertThat(file.brokerSettings()).isEqualTo(Map.of("flush", "always", "size", "5"));
    }

    @Test
    void aBrokerHasOneNodeAndNoSettingsUnlessTheFileSaysOtherwise() throws Exception {
        for (String yaml : List.of("name: A", "localBroker:", "localBroker: {heap: 1g}")) {
            assertThat(file(yaml).brokerNodes()).as(yaml).isEqualTo(1);
            assertThat(file(yaml).brokerSettings()).as(yaml).isEmpty();
        }
    }
}
