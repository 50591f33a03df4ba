package io.openmessaging.benchmark.driver.redpanda;

import io.openmessaging.benchmark.broker.kafka.KafkaLocalBroker;
import io.openmessaging.benchmark.driver.testkit.TestBroker.Setup;
import io.openmessaging.benchmark.driver.testkit.TestBrokerExtension;
import java.util.List;

/** An Apache Kafka as a substitute that uses Redpanda's protocol. */
final class LocalKafka extends TestBrokerExtension<RedpandaConfig> {

    LocalKafka() {
        super(new RedpandaBenchmarkDriver(), new KafkaLocalBroker(), Setup.SINGLE);
    }

    /** Returns a configuration that treats this Kafka as a Redpanda with this Admin API. */
    RedpandaConfig config(List<String> adminApi) {
        return reach(Configs.withAdminApi(adminApi));
    }
}
