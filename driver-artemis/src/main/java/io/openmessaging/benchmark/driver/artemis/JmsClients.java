package io.openmessaging.benchmark.driver.artemis;

import io.openmessaging.benchmark.driver.BenchmarkConsumer;
import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.ConsumerSpec;
import io.openmessaging.benchmark.driver.DriverContext;
import io.openmessaging.benchmark.driver.ProducerSpec;
import jakarta.jms.Destination;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.jms.ActiveMQJMSConstants;

/** Creates clients that use JMS, each with its own connection. */
record JmsClients(JmsSystem system, ArtemisConfig config, DriverContext context) implements ArtemisClients {

    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(3);

    @Override
    public BenchmarkProducer producer(ProducerSpec spec) throws Exception {
        JmsLink link = JmsLink.on(system.forProducer(), Session.AUTO_ACKNOWLEDGE);
        try {
            List<MessageProducer> partitions = new ArrayList<>();
            for (int partition = 0; partition < spec.topic().partitions(); partition++) {
                String address = ArtemisTopics.address(spec.topic(), partition).toString();
                partitions.add(link.session()
                        .createProducer(
                                config.routing() == RoutingType.MULTICAST
                                        ? system.topic(address)
                                        : system.queue(address)));
            }
            return new JmsBenchmarkProducer(system, link, partitions, spec, config, context.timeout());
        } catch (Throwable e) {
            link.close(CLOSE_LIMIT);
            throw e;
        }
    }

    @Override
    public BenchmarkConsumer consumer(ConsumerSpec spec, List<SimpleString> queues) throws Exception {
        JmsLink link = JmsLink.on(system.forConsumer(), acknowledgeMode());
        try {
            List<Destination> sources = new ArrayList<>();
            for (int partition = 0; partition < queues.size(); partition++) {
                sources.add(system.queue(ArtemisTopics.address(spec.topic(), partition)
                        + ArtemisTopics.OF_ADDRESS
                        + queues.get(partition)));
            }
            JmsBenchmarkConsumer consumer = new JmsBenchmarkConsumer(link, spec, config, context);
            consumer.start(sources);
            return consumer;
        } catch (Throwable e) {
            link.close(CLOSE_LIMIT);
            throw e;
        }
    }

    private int acknowledgeMode() {
        if (config.autoAck()) {
            // Also valid for AMQP.
            return ActiveMQJMSConstants.PRE_ACKNOWLEDGE;
        }
        return config.ackBatchSize() == 0 ? Session.AUTO_ACKNOWLEDGE : Session.DUPS_OK_ACKNOWLEDGE;
    }
}
