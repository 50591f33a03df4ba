package io.openmessaging.benchmark.driver.kafka;

import io.openmessaging.benchmark.driver.BenchmarkDriver;
import io.openmessaging.benchmark.driver.TopicSpec;
import io.openmessaging.benchmark.driver.kafka.KafkaConfig.GroupType;
import io.openmessaging.benchmark.driver.kafka.KafkaConfig.KafkaSharedClients;
import io.openmessaging.benchmark.driver.kafka.KafkaConfig.KafkaTransaction;
import io.openmessaging.benchmark.driver.testkit.DriverContractTest;
import io.openmessaging.benchmark.driver.testkit.DriverSession;
import io.openmessaging.benchmark.driver.testkit.FailingSend;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests the contract with Kafka's classic protocol of consumer groups, the client's default. */
class KafkaDriverIT extends DriverContractTest<KafkaConfig> {

    @RegisterExtension
    static final LocalKafka KAFKA = new LocalKafka();

    private static final int MAX_REQUEST_BYTES = 1_000_000;

    @Override
    protected BenchmarkDriver<KafkaConfig> driver() {
        return new KafkaBenchmarkDriver();
    }

    @Override
    protected KafkaConfig config() {
        return config("");
    }

    private KafkaConfig config(String producer) {
        return KAFKA.reach(new KafkaConfig(
                1, "", "", producer, consumerConfig(), false, groupType(), List.of(), transaction(), sharedClients()));
    }

    GroupType groupType() {
        return GroupType.CONSUMER;
    }

    @Nullable
    KafkaTransaction transaction() {
        return null;
    }

    @Nullable
    KafkaSharedClients sharedClients() {
        return null;
    }

    String consumerConfig() {
        return LocalKafka.CLASSIC_HEARTBEAT + "auto.offset.reset=earliest";
    }

    @Override
    protected FailingSend<KafkaConfig> failingSend() {
        return new FailingSend<>(config("max.request.size=" + MAX_REQUEST_BYTES), 2 * MAX_REQUEST_BYTES);
    }

    @Override
    protected String existingTopic(DriverSession owner, TopicSpec topic) {
        return groupType() == GroupType.CONSUMER ? topic.name() : skip("existing topics are not for share groups");
    }

    @Override
    protected KafkaConfig configOfExisting() {
        return KAFKA.reach(new KafkaConfig(
                null, "", "", "", consumerConfig(), false, groupType(), List.of(), transaction(), sharedClients()));
    }
}
