package io.openmessaging.benchmark.driver.artemis;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.driver.BrokerDescription;
import io.openmessaging.benchmark.driver.testkit.PackagedDriver;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The folder that is packaged holds all that the driver needs, in a class loader of its own. */
@Timeout(120)
class DriverFolderIT {

    /** The larger message is sent in parts. */
    @Test
    void theDriverWorksFromItsFolderAlone() throws Exception {
        PackagedDriver<?> packaged = PackagedDriver.load(ArtemisBenchmarkDriver.class);
        BrokerDescription broker =
                packaged.carriesMessages(Map.of(), LocalArtemis.shared().addresses(), Map.of(), 1000, 1 << 20);
        assertThat(broker.version()).isNotEqualTo("unknown");
        assertThat(packaged.driver().clientVersion()).matches("artemis-core-client \\d+\\.\\d+\\.\\d+");
    }
}
