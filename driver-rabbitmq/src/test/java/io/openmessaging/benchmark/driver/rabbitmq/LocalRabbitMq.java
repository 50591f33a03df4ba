package io.openmessaging.benchmark.driver.rabbitmq;

import io.openmessaging.benchmark.broker.rabbitmq.RabbitMqLocalBroker;
import io.openmessaging.benchmark.driver.rabbitmq.config.RabbitMqConfig;
import io.openmessaging.benchmark.driver.rabbitmq.config.TestConfigs;
import io.openmessaging.benchmark.driver.testkit.TestBroker.Setup;
import io.openmessaging.benchmark.driver.testkit.TestBrokerExtension;
import java.util.List;
import java.util.Map;

/** A real RabbitMQ. */
final class LocalRabbitMq extends TestBrokerExtension<RabbitMqConfig> {

    /**
     * Maximum size of a message in the shared broker; smaller than RabbitMQ's own limit, so that tests can exceed it.
     */
    static final int MAX_MESSAGE_BYTES = 1_000_000;

    private LocalRabbitMq(Setup setup) {
        super(new RabbitMqBenchmarkDriver(), new RabbitMqLocalBroker(), setup);
    }

    /**
     * Returns the broker that most classes use. Its metrics are at most half a second old; RabbitMQ's default is five
     * seconds.
     */
    static LocalRabbitMq shared() {
        return with(
                Map.of("max_message_size", Integer.toString(MAX_MESSAGE_BYTES), "collect_statistics_interval", "500"));
    }

    /** Returns a broker with other entries of its configuration. */
    static LocalRabbitMq with(Map<String, String> settings) {
        return new LocalRabbitMq(Setup.with(settings));
    }

    /** Returns a cluster of several nodes. */
    static LocalRabbitMq cluster(int nodes) {
        return new LocalRabbitMq(Setup.ofNodes(nodes));
    }

    /** Returns {@code host:port} of AMQP on the first node. */
    String address() {
        return addresses().get(0);
    }

    /** Returns {@code host:port} of the stream protocol on the first node. */
    String streamAddress() {
        return broker().endpoints().getOrDefault("stream", List.of()).get(0);
    }

    /** Returns a configuration for this broker, with these keys and values. */
    RabbitMqConfig config(Object... keysAndValues) {
        return reach(TestConfigs.of(keysAndValues));
    }
}
