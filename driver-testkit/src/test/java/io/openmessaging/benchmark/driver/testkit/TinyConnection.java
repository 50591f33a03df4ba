package io.openmessaging.benchmark.driver.testkit;

import io.openmessaging.benchmark.driver.BenchmarkConsumer;
import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.BrokerDescription;
import io.openmessaging.benchmark.driver.ConsumerSpec;
import io.openmessaging.benchmark.driver.DriverConnection;
import io.openmessaging.benchmark.driver.DriverContext;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.Guarantee;
import io.openmessaging.benchmark.driver.Guarantee.Consumption;
import io.openmessaging.benchmark.driver.Guarantee.Order;
import io.openmessaging.benchmark.driver.Guarantee.Storage;
import io.openmessaging.benchmark.driver.PayloadOwnership;
import io.openmessaging.benchmark.driver.ProducerSpec;
import io.openmessaging.benchmark.driver.TopicSpec;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A connection to a {@link TinyDriver}'s system. */
final class TinyConnection implements DriverConnection {

    private final TinyDriver.Config config;
    private final Defect defect;
    private final DriverContext context;
    private final List<TopicSpec> created = new ArrayList<>();

    TinyConnection(TinyDriver.Config config, DriverContext context) {
        this.config = config;
        this.defect = config.defect();
        this.context = context;
    }

    private String keyOf(TopicSpec topic) {
        return (defect == Defect.TOPICS_ARE_PRIVATE ? System.identityHashCode(this) : config.addresses()) + "/"
                + topic.name();
    }

    private TinyTopic topic(TopicSpec spec) throws DriverException {
        TinyTopic topic = TinyTopic.TOPICS.get(keyOf(spec));
        if (topic == null) {
            throw new DriverException("There is no topic " + spec.name());
        }
        return topic;
    }

    @Override
    public BrokerDescription describeBroker() {
        String version = defect == Defect.BROKER_HAS_NO_VERSION ? "" : "1";
        return new BrokerDescription("Tiny", version, config.addresses(), Map.of())
                .promising(new Guarantee(1, 1, Storage.MEMORY, Consumption.AUTOMATIC, Order.PARTITION));
    }

    @Override
    public PayloadOwnership payloadOwnership() {
        return PayloadOwnership.COPIED_ON_SEND;
    }

    @Override
    public void createTopics(List<TopicSpec> topics) throws DriverException {
        created.addAll(topics);
        for (TopicSpec topic : topics) {
            if (topic.existing() && defect != Defect.EXISTING_TOPICS_ARE_CREATED) {
                topic(topic);
            }
            TinyTopic fresh = new TinyTopic(topic.partitions(), defect);
            if (defect == Defect.CREATING_AGAIN_REPLACES_THE_TOPIC) {
                TinyTopic.TOPICS.put(keyOf(topic), fresh);
            } else {
                TinyTopic.TOPICS.putIfAbsent(keyOf(topic), fresh);
            }
        }
    }

    @Override
    public List<List<String>> leaders(List<TopicSpec> topics) {
        String node = defect == Defect.LEADERS_ARE_STRANGERS
                ? "localhost:2"
                : config.addresses().get(0);
        return topics.stream()
                .map(topic -> Collections.nCopies(defect == Defect.LEADERS_ARE_TOO_FEW ? 1 : topic.partitions(), node))
                .toList();
    }

    @Override
    public void deleteTopics(List<TopicSpec> topics) throws DriverException {
        for (TopicSpec topic : topics) {
            if (defect == Defect.DELETING_A_MISSING_TOPIC_FAILS) {
                topic(topic);
            }
            boolean stays = topic.existing()
                    ? defect != Defect.EXISTING_TOPICS_ARE_DELETED
                    : defect == Defect.DELETED_TOPICS_STAY;
            if (!stays) {
                TinyTopic.TOPICS.remove(keyOf(topic));
            }
        }
    }

    @Override
    public List<BenchmarkProducer> createProducers(List<ProducerSpec> specs) throws DriverException {
        List<BenchmarkProducer> producers = new ArrayList<>();
        for (ProducerSpec spec : specs) {
            producers.add(new TinyProducer(topic(spec.topic()), spec.headers(), defect));
        }
        return producers;
    }

    @Override
    public List<BenchmarkConsumer> createConsumers(List<ConsumerSpec> specs) throws DriverException {
        List<BenchmarkConsumer> consumers = new ArrayList<>();
        for (ConsumerSpec spec : specs) {
            TinyTopic topic = topic(spec.topic());
            TinyConsumer consumer = new TinyConsumer(topic, spec.listener(), defect);
            if (defect == Defect.CONSUMERS_ATTACH_LATE) {
                var unused = CompletableFuture.runAsync(
                        () -> topic.attach(spec.subscription(), consumer),
                        CompletableFuture.delayedExecutor(200, TimeUnit.MILLISECONDS));
            } else {
                topic.attach(spec.subscription(), consumer);
            }
            consumers.add(consumer);
        }
        if (defect == Defect.ORDER_OF_SPECIFICATIONS_IS_LOST) {
            Collections.reverse(consumers);
        }
        return consumers;
    }

    @Override
    public List<BenchmarkConsumer> createReaders(List<ConsumerSpec> specs) throws DriverException {
        List<BenchmarkConsumer> readers = new ArrayList<>();
        for (ConsumerSpec spec : defect == Defect.READERS_ARE_MISSING ? List.<ConsumerSpec>of() : specs) {
            TinyTopic topic = topic(spec.topic());
            TinyConsumer reader = new TinyConsumer(topic, spec.listener(), defect);
            topic.attachReader(spec.subscription(), reader);
            readers.add(reader);
        }
        return readers;
    }

    @Override
    public void close() {
        if (defect == Defect.CONNECTION_CLOSE_DELETES_TOPICS) {
            created.forEach(topic -> TinyTopic.TOPICS.remove(keyOf(topic)));
        }
        if (defect == Defect.CLOSE_CLEARS_THE_INTERRUPT_STATUS) {
            Thread.interrupted();
        }
        if (defect == Defect.ERRORS_ARE_REPORTED) {
            context.events().fatal(new DriverException("on purpose"));
        }
    }
}
