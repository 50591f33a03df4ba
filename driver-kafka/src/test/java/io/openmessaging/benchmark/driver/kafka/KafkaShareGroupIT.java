package io.openmessaging.benchmark.driver.kafka;

import static io.openmessaging.benchmark.driver.testkit.NumberedMessages.assertGotAll;
import static io.openmessaging.benchmark.driver.testkit.NumberedMessages.sendAcknowledged;
import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.driver.BenchmarkConsumer;
import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.ConsumerSpec;
import io.openmessaging.benchmark.driver.Guarantee;
import io.openmessaging.benchmark.driver.TopicSpec;
import io.openmessaging.benchmark.driver.kafka.KafkaConfig.KafkaTransaction;
import io.openmessaging.benchmark.driver.testkit.DriverSession;
import io.openmessaging.benchmark.driver.testkit.RecordingListener;
import io.openmessaging.benchmark.suite.Patience;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.GroupListing;
import org.apache.kafka.common.GroupType;
import org.apache.kafka.common.config.ConfigResource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests of behaviour specific to share groups. */
class KafkaShareGroupIT {

    @RegisterExtension
    static final LocalKafka KAFKA = new LocalKafka();

    @Test
    void moreConsumersThanPartitionsShareOnePartition() throws Exception {
        int consumers = 4;
        AtomicInteger sent = new AtomicInteger();
        CompletableFuture<Void> allHaveOne = new CompletableFuture<>();
        try (DriverSession session = open(null)) {
            TopicSpec topic = session.topic(1);
            List<RecordingListener> listeners = new ArrayList<>();
            List<ConsumerSpec> specs = new ArrayList<>();
            AtomicInteger waiting = new AtomicInteger();
            for (int i = 0; i < consumers; i++) {
                RecordingListener listener = new RecordingListener();
                listeners.add(listener);
                // A consumer with one message requests no more until each consumer has one.
                specs.add(session.consumerOf(topic, "s", (key, payload, partition) -> {
                    if (listener.count() == 0 && waiting.incrementAndGet() == consumers) {
                        allHaveOne.complete(null);
                    }
                    allHaveOne.join();
                    listener.received(key, payload, partition);
                }));
            }
            session.consumers(specs.toArray(ConsumerSpec[]::new));
            BenchmarkProducer producer = session.producer(topic);
            Patience.until("a message for each consumer", () -> {
                sendAcknowledged(producer, sent.get(), sent.incrementAndGet(), 100);
                return allHaveOne.isDone();
            });
            assertGotAll(listeners, 0, sent.get());
            assertThat(session.events().clientErrors()).isEmpty();
        } finally {
            allHaveOne.complete(null);
        }
    }

    @Test
    void whatWasAcknowledgedIsNotDeliveredAgain() throws Exception {
        try (DriverSession session = open(null)) {
            TopicSpec topic = session.topic(2);
            BenchmarkProducer producer = session.producer(topic);
            RecordingListener before = new RecordingListener();
            BenchmarkConsumer first = session.consumer(topic, "s", before);
            sendAcknowledged(producer, 0, 100, 100);
            assertGotAll(List.of(before), 0, 100);
            session.close(first);
            RecordingListener after = new RecordingListener();
            session.consumer(topic, "s", after);
            sendAcknowledged(producer, 100, 200, 100);
            assertGotAll(List.of(after), 100, 200);
            assertThat(session.events().clientErrors()).isEmpty();
        }
    }

    @Test
    void groupsAreShareGroupsWithSettingsOfTheirOwnAndGoWithTheirTopics() throws Exception {
        try (DriverSession session = open(new KafkaTransaction(10, Duration.ofMillis(50)));
                Admin admin = Admin.create(RawRecords.connection(KAFKA.addresses()))) {
            TopicSpec topic = session.topic(1);
            BenchmarkConsumer consumer = session.consumer(topic, "s", new RecordingListener());
            String id = groups(admin).stream()
                    .filter(group -> group.type().equals(Optional.of(GroupType.SHARE)))
                    .map(GroupListing::groupId)
                    .filter(group -> group.contains(topic.name()))
                    .findFirst()
                    .orElseThrow();
            assertThat(settings(admin, id))
                    .containsEntry("share.auto.offset.reset", "earliest")
                    .containsEntry("share.isolation.level", "read_committed");
            session.close(consumer);
            session.connection().deleteTopics(List.of(topic));
            assertThat(groups(admin)).extracting(GroupListing::groupId).doesNotContain(id);
            Patience.await("the settings of a group that is gone")
                    .untilAsserted(
                            () -> assertThat(settings(admin, id)).containsEntry("share.auto.offset.reset", "latest"));
        }
    }

    @Test
    void theGuaranteeClaimsNoOrder() throws Exception {
        try (DriverSession session = open(null)) {
            Guarantee guarantee =
                    Objects.requireNonNull(session.connection().describeBroker().guarantee());
            assertThat(guarantee.order()).isEqualTo(Guarantee.Order.NONE);
            assertThat(guarantee.consumption()).isEqualTo(Guarantee.Consumption.ACKNOWLEDGED);
        }
    }

    private static List<GroupListing> groups(Admin admin) throws Exception {
        return List.copyOf(Patience.get("the groups", admin.listGroups().all()));
    }

    private static Map<String, String> settings(Admin admin, String groupId) throws Exception {
        ConfigResource group = new ConfigResource(ConfigResource.Type.GROUP, groupId);
        Map<String, String> settings = new HashMap<>();
        Objects.requireNonNull(Patience.get(
                                "the settings",
                                admin.describeConfigs(List.of(group)).all())
                        .get(group))
                .entries()
                .forEach(entry -> settings.put(entry.name(), entry.value()));
        return settings;
    }

    private static DriverSession open(@Nullable KafkaTransaction transaction) throws Exception {
        KafkaConfig config =
                new KafkaConfig(1, "", "", "", "", false, KafkaConfig.GroupType.SHARE, List.of(), transaction, null);
        return DriverSession.open(new KafkaBenchmarkDriver(), KAFKA.reach(config), Patience.LIMIT);
    }
}
