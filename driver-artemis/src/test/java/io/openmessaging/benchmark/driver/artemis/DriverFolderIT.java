package io.openmessaging.benchmark.driver.artemis;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.driver.BrokerDescription;
import io.openmessaging.benchmark.driver.artemis.ArtemisConfig.ClientKind;
import io.openmessaging.benchmark.driver.testkit.PackagedDriver;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests that the packaged folder contains everything that the driver needs, in its own class loader. */
class DriverFolderIT {

    /** The larger message is sent in parts. */
    @ParameterizedTest
    @EnumSource
    void theDriverWorksFromItsFolderAlone(ClientKind client) throws Exception {
        PackagedDriver<?> packaged = PackagedDriver.load(ArtemisBenchmarkDriver.class);
        BrokerDescription broker = packaged.carriesMessages(
                Map.of("client", client.name()), LocalArtemis.shared(client).addresses(), Map.of(), 1000, 1 << 20);
        assertThat(broker.version()).isNotEqualTo("unknown");
        assertThat(packaged.driver().clientVersion())
                .matches(
                        "artemis-core-client and artemis-jakarta-client \\d+\\.\\d+\\.\\d+, qpid-jms-client \\d+\\.\\d+\\.\\d+");
    }
}
