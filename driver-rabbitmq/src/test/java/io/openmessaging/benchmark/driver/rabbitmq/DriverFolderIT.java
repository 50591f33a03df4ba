package io.openmessaging.benchmark.driver.rabbitmq;

import io.openmessaging.benchmark.driver.testkit.PackagedDriver;
import java.util.Map;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The folder that is packaged holds all that the driver needs, in a class loader of its own. */
@Timeout(120)
class DriverFolderIT {

    @RegisterExtension
    static final LocalRabbitMq RABBITMQ = LocalRabbitMq.shared();

    /** zstd brings a native library. */
    @ParameterizedTest
    @EnumSource
    void theDriverWorksFromItsFolderAlone(QueueType type) throws Exception {
        Map<String, Object> keys = type.isStream()
                ? Map.of("queueType", type.name(), "streamSubEntrySize", 10, "streamCompression", "ZSTD")
                : Map.of("queueType", type.name());
        PackagedDriver.load(RabbitMqBenchmarkDriver.class)
                .carriesMessages(keys, RABBITMQ.addresses(), RABBITMQ.broker().endpoints(), 1000);
    }
}
