package io.openmessaging.benchmark.broker.pulsar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.benchmark.broker.LocalBrokerException;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StandaloneConfTest {

    private static final StandalonePorts PORTS = new StandalonePorts(6650, 8080, 3181);

    @Test
    void everyAddressIsOnLoopback() throws Exception {
        assertThat(conf(1, Map.of()))
                .containsEntry("brokerServicePort", "6650")
                .containsEntry("webServicePort", "8080")
                .containsEntry("bindAddress", "127.0.0.1")
                .containsEntry("advertisedAddress", "127.0.0.1")
                .hasEntrySatisfying(
                        "listeningInterface",
                        name -> assertThat(name).asString().startsWith("lo"));
    }

    @Test
    void severalBookiesShareTheMemory() throws Exception {
        assertThat(conf(1, Map.of()))
                .containsEntry("maxMessagePublishBufferSizeInMB", "75")
                .containsEntry("managedLedgerMaxReadsInFlightSizeInMB", "75")
                .containsEntry("managedLedgerCacheSizeMB", "75")
                .containsEntry("dbStorage_writeCacheMaxSizeMb", "75");
        assertThat(conf(3, Map.of()))
                .containsEntry("managedLedgerCacheSizeMB", "75")
                .containsEntry("dbStorage_writeCacheMaxSizeMb", "25")
                .containsEntry("dbStorage_readAheadCacheMaxSizeMb", "25");
    }

    @Test
    void settingsOverrideOursAndAddToThem() throws Exception {
        assertThat(conf(1, Map.of("journalSyncData", "true", "maxMessageSize", "1000")))
                .containsEntry("journalSyncData", "true")
                .containsEntry("maxMessageSize", "1000");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"brokerServicePort", "webServicePort", "bindAddress", "advertisedAddress", "listeningInterface"})
    void whereTheBrokerListensIsNotAChoice(String key) {
        assertThatThrownBy(() -> StandaloneConf.refuseFixed(Map.of(key, "1")))
                .isInstanceOf(LocalBrokerException.class)
                .hasMessage("the setting " + key + " of a local Pulsar is chosen for each start: leave it out");
    }

    @ParameterizedTest
    @CsvSource({"512m, 512", "2g, 2048", "2G, 2048", "1048576k, 1024", "104857600, 100", "1k, 0"})
    void sizesOfMemory(String text, long mib) {
        assertThat(MemorySize.parse(text).mib()).isEqualTo(mib);
        assertThat(MemorySize.parse(text)).hasToString(text);
        assertThat(MemorySize.parse(text).twice()).isEqualTo(MemorySize.parse(2 * mib + "m"));
    }

    private static Properties conf(int bookies, Map<String, String> settings) throws LocalBrokerException {
        return StandaloneConf.of(PORTS, bookies, MemorySize.parse("600m"), settings);
    }
}
