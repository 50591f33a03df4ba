package io.openmessaging.benchmark.driver.kafka;

import io.openmessaging.benchmark.driver.testkit.PackagedDriver;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The folder that is packaged holds all that the driver needs, in a class loader of its own. */
@Timeout(120)
class DriverFolderIT {

    @RegisterExtension
    static final LocalKafka KAFKA = new LocalKafka();

    /** zstd brings a native library. */
    @Test
    void theDriverWorksFromItsFolderAlone() throws Exception {
        Map<String, Object> keys = Map.of(
                "replicationFactor", 1,
                "commonConfig", "bootstrap.servers=127.0.0.1:1",
                "producerConfig", "compression.type=zstd");
        PackagedDriver.load(KafkaBenchmarkDriver.class).carriesMessages(keys, KAFKA.addresses(), Map.of(), 1000);
    }
}
