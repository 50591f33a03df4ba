package io.openmessaging.benchmark.driver.rabbitmq;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import io.openmessaging.benchmark.driver.BenchmarkDriver;
import io.openmessaging.benchmark.driver.TopicSpec;
import io.openmessaging.benchmark.driver.rabbitmq.config.RabbitMqConfig;
import io.openmessaging.benchmark.driver.rabbitmq.config.RabbitMqConfig.QueueType;
import io.openmessaging.benchmark.driver.testkit.DriverCapabilities;
import io.openmessaging.benchmark.driver.testkit.DriverContractTest;
import io.openmessaging.benchmark.driver.testkit.DriverSession;
import io.openmessaging.benchmark.driver.testkit.FailingSend;
import io.openmessaging.benchmark.suite.Patience;
import java.util.Map;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests the contract of all drivers with one kind of queue or stream. */
abstract class RabbitMqContract extends DriverContractTest<RabbitMqConfig> {

    @RegisterExtension
    static final LocalRabbitMq RABBITMQ = LocalRabbitMq.shared();

    private final QueueType type;

    RabbitMqContract(QueueType type) {
        this.type = type;
    }

    @Override
    protected BenchmarkDriver<RabbitMqConfig> driver() {
        return new RabbitMqBenchmarkDriver();
    }

    @Override
    protected RabbitMqConfig config() {
        return RABBITMQ.config("queueType", type);
    }

    /**
     * Queues accept messages up to the broker's limit, streams up to the limit of a frame, which is about the same.
     */
    @Override
    protected FailingSend<RabbitMqConfig> failingSend() {
        return new FailingSend<>(config(), 2 * LocalRabbitMq.MAX_MESSAGE_BYTES);
    }

    @Override
    protected DriverCapabilities capabilities() {
        return switch (type) {
            case STREAM -> new DriverCapabilities(1, true);
            case SUPER_STREAM -> DriverCapabilities.ALL;
            case CLASSIC, QUORUM -> DriverCapabilities.ALL.withoutReadingAnew();
        };
    }

    /**
     * Returns a queue of another client that receives what the run sends to its exchange; streams exist without a
     * subscription.
     */
    @Override
    protected String existingTopic(DriverSession owner, TopicSpec topic) throws Exception {
        if (type.isStream()) {
            return topic.name();
        }
        String queue = "others." + topic.name();
        ConnectionFactory factory = new ConnectionFactory();
        factory.setUri("amqp://" + RABBITMQ.address());
        try (Connection connection = factory.newConnection();
                Channel channel = connection.createChannel()) {
            channel.queueDeclare(queue, true, false, false, Map.of("x-expires", Patience.LIMIT.toMillis() * 10));
            channel.queueBind(queue, topic.name(), "0");
        }
        return queue;
    }

    @Override
    protected boolean existingTopicsKeepMessages() {
        return type.isStream();
    }

    /** Only messages whose producer sets the property have a time. */
    @Override
    protected boolean messagesHaveTimes() {
        return false;
    }
}
