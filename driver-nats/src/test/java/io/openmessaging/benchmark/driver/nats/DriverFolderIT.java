package io.openmessaging.benchmark.driver.nats;

import io.openmessaging.benchmark.driver.testkit.PackagedDriver;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests that the packaged folder contains everything that the driver needs, in its own class loader. */
class DriverFolderIT {

    @RegisterExtension
    static final LocalNats NATS = new LocalNats();

    @Test
    void theDriverWorksFromItsFolderAlone() throws Exception {
        PackagedDriver.load(NatsBenchmarkDriver.class)
                .carriesMessages(Map.of(), NATS.addresses(), NATS.broker().endpoints(), 1000);
    }
}
