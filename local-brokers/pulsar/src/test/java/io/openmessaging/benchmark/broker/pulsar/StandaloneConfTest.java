package io.openmessaging.benchmark.broker.pulsar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.benchmark.broker.ListenAddress;
import io.openmessaging.benchmark.broker.LocalBrokerException;
import io.openmessaging.benchmark.broker.LocalBrokerOptions;
import io.openmessaging.benchmark.broker.LocalBrokerOptions.Location;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StandaloneConfTest {

    private static final Path HERE = Path.of("");

    @Test
    void everyAddressIsOnLoopback() throws Exception {
        assertThat(conf(1, Map.of()))
                .containsEntry("brokerServicePort", 6650)
                .containsEntry("webServicePort", 8080)
                .containsEntry("bindAddress", "127.0.0.1")
                .containsEntry("advertisedAddress", "127.0.0.1")
                .hasEntrySatisfying(
                        "listeningInterface",
                        name -> assertThat(name).asString().startsWith("lo"));
    }

    @Test
    void bookiesStayOnLoopbackWhereverTheBrokerIs() throws Exception {
        assertThat(StandaloneConf.of(new ListenAddress("192.0.2.1"), 6650, 8080, 1, 600, Map.of()))
                .containsEntry("bindAddress", "192.0.2.1")
                .containsEntry("advertisedAddress", "127.0.0.1")
                .hasEntrySatisfying(
                        "listeningInterface",
                        name -> assertThat(name).asString().startsWith("lo"));
    }

    @Test
    void severalBookiesShareTheMemory() throws Exception {
        assertThat(conf(1, Map.of()))
                .containsEntry("maxMessagePublishBufferSizeInMB", 75L)
                .containsEntry("managedLedgerMaxReadsInFlightSizeInMB", 75L)
                .containsEntry("managedLedgerCacheSizeMB", 75L)
                .containsEntry("dbStorage_writeCacheMaxSizeMb", 75L);
        assertThat(conf(3, Map.of()))
                .containsEntry("managedLedgerCacheSizeMB", 75L)
                .containsEntry("dbStorage_writeCacheMaxSizeMb", 25L)
                .containsEntry("dbStorage_readAheadCacheMaxSizeMb", 25L);
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
        LocalBrokerOptions options =
                new LocalBrokerOptions(1, null, Map.of(key, "1"), new Location(HERE, HERE), text -> {});
        assertThatThrownBy(() -> new PulsarLocalBroker().start(options))
                .isInstanceOf(LocalBrokerException.class)
                .hasMessage("a local Pulsar chooses " + key + " itself; remove it from the settings");
    }

    private static Map<String, Object> conf(int bookies, Map<String, String> settings) throws LocalBrokerException {
        return StandaloneConf.of(ListenAddress.LOOPBACK, 6650, 8080, bookies, 600, settings);
    }
}
