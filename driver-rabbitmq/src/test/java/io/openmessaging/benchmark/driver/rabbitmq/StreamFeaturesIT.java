package io.openmessaging.benchmark.driver.rabbitmq;

import static io.openmessaging.benchmark.driver.rabbitmq.Sending.TIMEOUT;
import static io.openmessaging.benchmark.driver.rabbitmq.Sending.arrived;
import static io.openmessaging.benchmark.driver.rabbitmq.Sending.sendAcknowledged;
import static io.openmessaging.benchmark.suite.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.stream.Environment;
import com.rabbitmq.stream.Producer;
import io.openmessaging.benchmark.driver.BenchmarkConsumer;
import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.ConsumerSpec;
import io.openmessaging.benchmark.driver.MessageListener;
import io.openmessaging.benchmark.driver.TopicSpec;
import io.openmessaging.benchmark.driver.rabbitmq.config.RabbitMqConfig.QueueType;
import io.openmessaging.benchmark.driver.testkit.Arrivals;
import io.openmessaging.benchmark.driver.testkit.DriverSession;
import io.openmessaging.benchmark.driver.testkit.NumberedPayload;
import io.openmessaging.benchmark.driver.testkit.RecordingCallback;
import io.openmessaging.benchmark.driver.testkit.RecordingListener;
import io.openmessaging.benchmark.driver.testkit.RecordingListener.ReceivedMessage;
import io.openmessaging.benchmark.suite.Patience;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests deduplication, single active consumers, and filtering. */
class StreamFeaturesIT {

    @RegisterExtension
    static final LocalRabbitMq RABBITMQ = LocalRabbitMq.shared();

    // Deduplication

    @Test
    void theBrokerDropsWhatItHasFromAProducerAlready() throws Exception {
        try (DriverSession session = open("queueType", QueueType.STREAM, "streamDeduplication", true)) {
            TopicSpec topic = session.topic(1);
            RecordingListener listener = new RecordingListener();
            session.consumer(topic, "s", listener);
            BenchmarkProducer producer = session.producer(topic);
            sendAcknowledged(producer, 0, 100);
            session.close(producer);
            String run = topic.name().split("-")[1];
            try (Environment environment = environment();
                    Producer same = environment.producerBuilder().stream(topic.name())
                            .name("benchmark-" + run + "-0")
                            .build()) {
                assertThat(same.getLastPublishingId()).isEqualTo(99);
                publish(same, 50);
                publish(same, 100);
            }
            assertThat(listener.awaitMessages(101, TIMEOUT)).hasSize(101);
            assertThat(new String(listener.messages().get(100).payload(), StandardCharsets.UTF_8))
                    .isEqualTo("number 100");
        }
    }

    /** Publishes a message and waits for its confirm, which the broker also sends for a message that it drops. */
    private static void publish(Producer producer, long number) throws Exception {
        CompletableFuture<Boolean> confirmed = new CompletableFuture<>();
        producer.send(
                producer.messageBuilder()
                        .publishingId(number)
                        .addData(("number " + number).getBytes(StandardCharsets.UTF_8))
                        .build(),
                status -> confirmed.complete(status.isConfirmed()));
        assertThat(Patience.get("the confirm of " + number, confirmed)).isTrue();
    }

    @Test
    void messagesWithNumbersArriveOnAllPartitions() throws Exception {
        try (DriverSession session = open("queueType", QueueType.SUPER_STREAM, "streamDeduplication", true)) {
            TopicSpec topic = session.topic(3);
            RecordingListener listener = new RecordingListener();
            session.consumer(topic, "s", listener);
            List<BenchmarkProducer> producers = session.producers(topic, topic);
            sendAcknowledged(producers.get(0), 0, 300);
            sendAcknowledged(producers.get(1), 300, 600);
            assertThat(arrived(listener, 600)).hasSize(600);
        }
    }

    // Single active consumers

    @ParameterizedTest
    @EnumSource(names = {"STREAM", "SUPER_STREAM"})
    void consumersOfSeveralWorkersShareASubscription(QueueType type) throws Exception {
        Object[] config = {"queueType", type, "streamSingleActiveConsumer", true};
        try (DriverSession one = open(config);
                DriverSession other =
                        one.openOfSameRun(new RabbitMqBenchmarkDriver(), RABBITMQ.config(config), TIMEOUT)) {
            TopicSpec topic = one.topic(type == QueueType.STREAM ? 1 : 6);
            List<RecordingListener> here = List.of(new RecordingListener(), new RecordingListener());
            List<RecordingListener> there = List.of(new RecordingListener(), new RecordingListener());
            RecordingListener independent = new RecordingListener();
            List<BenchmarkConsumer> consumersHere =
                    one.consumers(one.consumerOf(topic, "s", here.get(0)), one.consumerOf(topic, "s", here.get(1)));
            other.consumers(other.consumerOf(topic, "s", there.get(0)), other.consumerOf(topic, "s", there.get(1)));
            other.consumer(topic, "t", independent);
            BenchmarkProducer producer = one.producer(topic);
            RecordingListener[] all =
                    Stream.concat(here.stream(), there.stream()).toArray(RecordingListener[]::new);
            AtomicInteger sent = new AtomicInteger();
            // The broker moves a partition to a consumer that joined only after it has notified the previous owner.
            await("a partition for each consumer").until(() -> {
                sendAcknowledged(producer, sent.get(), sent.addAndGet(60));
                return type == QueueType.STREAM || Stream.of(all).allMatch(listener -> listener.count() > 0);
            });
            Arrivals.await("the shared subscription", 0, sent.get(), TIMEOUT, all)
                    .areExactly(0, sent.get());
            for (BenchmarkConsumer consumer : consumersHere) {
                one.close(consumer);
            }
            sendAcknowledged(producer, sent.get(), sent.addAndGet(600));
            Arrivals.await("after half of the consumers have left", 0, sent.get(), TIMEOUT, all)
                    .areExactly(0, sent.get());
            Arrivals.await("the other subscription", 0, sent.get(), TIMEOUT, independent)
                    .areExactly(0, sent.get());
            assertThat(other.events().fatals()).isEmpty();
        }
    }

    // Filtering

    @Test
    void consumersDivideAStreamByFilterValues() throws Exception {
        int messages = 3_000;
        try (DriverSession session = open("queueType", QueueType.STREAM, "streamFilterValues", 5)) {
            TopicSpec topic = session.topic(1);
            List<RecordingListener> listeners = List.of(new RecordingListener(), new RecordingListener());
            RecordingListener single = new RecordingListener();
            session.consumers(
                    session.consumerOf(topic, "two", blocking(listeners.get(0))),
                    session.consumerOf(topic, "two", listeners.get(1)),
                    session.consumerOf(topic, "one", single));
            BenchmarkProducer producer = session.producer(topic);
            sendAcknowledged(producer, 0, messages / 2);
            sendAcknowledged(producer, messages / 2, messages);
            Arrivals.await("one consumer", 0, messages, TIMEOUT, single).areExactly(0, messages);
            Arrivals.await("two consumers", 0, messages, TIMEOUT, listeners.toArray(RecordingListener[]::new))
                    .areExactly(0, messages);
            assertThat(listeners).allMatch(listener -> listener.count() > messages / 5);
            Set<@Nullable String> keysOfBoth = keys(listeners.get(0));
            keysOfBoth.retainAll(keys(listeners.get(1)));
            assertThat(keysOfBoth).isEmpty();
        }
    }

    /**
     * Returns a blocking listener: another chunk is requested when the first message of one was handled or skipped.
     */
    private static MessageListener blocking(RecordingListener recording) {
        return new MessageListener() {
            @Override
            public void received(@Nullable String key, byte[] payload, int partition) {
                recording.received(key, payload, partition);
            }

            @Override
            public boolean mayBlock() {
                return true;
            }
        };
    }

    private static Set<@Nullable String> keys(RecordingListener listener) {
        Set<@Nullable String> keys = new HashSet<>();
        listener.messages().stream().map(ReceivedMessage::key).forEach(keys::add);
        return keys;
    }

    /** Consumers beyond the number of values have nothing to read. */
    @Test
    void messagesWithoutKeysHaveTheValuesInTurn() throws Exception {
        try (DriverSession session = open("queueType", QueueType.STREAM, "streamFilterValues", 2)) {
            TopicSpec topic = session.topic(1);
            List<RecordingListener> listeners =
                    List.of(new RecordingListener(), new RecordingListener(), new RecordingListener());
            session.consumers(listeners.stream()
                    .map(listener -> session.consumerOf(topic, "s", listener))
                    .toArray(ConsumerSpec[]::new));
            BenchmarkProducer producer = session.producer(topic);
            for (int i = 0; i < 100; i++) {
                var callback = new RecordingCallback("message " + i);
                producer.send(null, NumberedPayload.of(i, 100), callback);
                callback.awaitAcknowledged(TIMEOUT);
            }
            await("all messages")
                    .until(() -> listeners.stream()
                                    .mapToInt(RecordingListener::count)
                                    .sum()
                            == 100);
            assertThat(listeners).extracting(RecordingListener::count).containsExactly(50, 50, 0);
        }
    }

    // Helpers

    private static DriverSession open(Object... keysAndValues) throws Exception {
        return DriverSession.open(new RabbitMqBenchmarkDriver(), RABBITMQ.config(keysAndValues), TIMEOUT);
    }

    private static Environment environment() {
        return Environment.builder()
                .uri("rabbitmq-stream://" + RABBITMQ.streamAddress())
                .build();
    }
}
