package io.openmessaging.benchmark.driver.pulsar;

import io.openmessaging.benchmark.driver.pulsar.ClientConfig.PulsarLogin;
import io.openmessaging.benchmark.driver.testkit.PackagedDriver;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests that the packaged folder contains everything that the driver needs, in its own class loader. */
class DriverFolderIT {

    @RegisterExtension
    static final LocalPulsar PULSAR = new LocalPulsar();

    /** Uses a login, whose class the client looks up by its name, and a compression that needs a native library. */
    @Test
    void theDriverWorksFromItsFolderAlone() throws Exception {
        PulsarLogin login = LocalPulsar.login();
        Map<String, String> authentication = Map.of("plugin", login.plugin(), "data", login.data());
        Map<String, Object> keys = Map.of(
                "client", Map.of("authentication", authentication),
                "producer", Map.of("compression", "ZSTD"));
        PackagedDriver.load(PulsarBenchmarkDriver.class)
                .carriesMessages(keys, PULSAR.addresses(), PULSAR.broker().endpoints(), 1000);
    }
}
