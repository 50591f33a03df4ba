package io.openmessaging.benchmark.driver.rabbitmq;

import io.openmessaging.benchmark.driver.rabbitmq.config.RabbitMqConfig.QueueType;
import io.openmessaging.benchmark.driver.rabbitmq.config.TestConfigs;
import io.openmessaging.benchmark.driver.testkit.PackagedDriver;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests that the packaged folder contains everything that the driver needs, in its own class loader. */
class DriverFolderIT {

    @RegisterExtension
    static final LocalRabbitMq RABBITMQ = LocalRabbitMq.shared();

    /** Uses zstd, which includes a native library. */
    @ParameterizedTest
    @EnumSource
    void theDriverWorksFromItsFolderAlone(QueueType type) throws Exception {
        Map<String, Object> keys = new HashMap<>();
        keys.put("amqpUris", List.of(TestConfigs.UNREACHABLE));
        keys.put("queueType", type.name());
        if (type.isStream()) {
            keys.put("streamSubEntrySize", 10);
            keys.put("streamCompression", "ZSTD");
        }
        PackagedDriver.load(RabbitMqBenchmarkDriver.class)
                .carriesMessages(keys, RABBITMQ.addresses(), RABBITMQ.broker().endpoints(), 1000);
    }
}
