package io.openmessaging.benchmark.driver.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.openmessaging.benchmark.driver.BenchmarkConsumer;
import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.ConsumerSpec;
import io.openmessaging.benchmark.driver.Guarantee;
import io.openmessaging.benchmark.driver.TopicSpec;
import io.openmessaging.benchmark.driver.testkit.DriverSession;
import io.openmessaging.benchmark.driver.testkit.NumberedPayload;
import io.openmessaging.benchmark.driver.testkit.RecordingCallback;
import io.openmessaging.benchmark.driver.testkit.RecordingListener;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.GroupListing;
import org.apache.kafka.common.GroupType;
import org.apache.kafka.common.config.ConfigResource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What is particular to share groups. */
@Timeout(120)
class KafkaShareGroupIT {

    @RegisterExtension
    static final LocalKafka KAFKA = new LocalKafka();

    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    @Test
    void moreConsumersThanPartitionsShareOnePartition() throws Exception {
        int messages = 100;
        int rounds = 100;
        try (DriverSession session = open(null)) {
            TopicSpec topic = session.topic(1);
            List<RecordingListener> listeners = new ArrayList<>();
            List<ConsumerSpec> specs = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                listeners.add(new RecordingListener(Duration.ofMillis(1)));
                specs.add(session.consumerOf(topic, "s", listeners.get(i)));
            }
            session.consumers(specs.toArray(ConsumerSpec[]::new));
            BenchmarkProducer producer = session.producer(topic);
            int sent = 0;
            // Who asks first gets what there is, so it may take a while until each has had some.
            while (sent < rounds * messages && listeners.stream().anyMatch(listener -> listener.count() == 0)) {
                send(producer, sent, sent + messages);
                sent += messages;
                awaitAll(listeners, sent);
            }
            assertThat(listeners)
                    .as("listeners of one partition")
                    .allSatisfy(listener -> assertThat(listener.count()).isPositive());
            assertThat(listeners.stream()
                            .flatMap(listener -> listener.messages().stream())
                            .map(message -> NumberedPayload.numberOf(message.payload())))
                    .containsExactlyInAnyOrderElementsOf(
                            IntStream.range(0, sent).boxed().toList());
            System.out.println("share group: 4 consumers of 1 partition got "
                    + listeners.stream().map(RecordingListener::count).toList());
            assertThat(session.events().clientErrors()).isEmpty();
        }
    }

    @Test
    void whatWasAcknowledgedIsNotDeliveredAgain() throws Exception {
        try (DriverSession session = open(null)) {
            TopicSpec topic = session.topic(2);
            BenchmarkProducer producer = session.producer(topic);
            RecordingListener before = new RecordingListener();
            BenchmarkConsumer first = session.consumer(topic, "s", before);
            send(producer, 0, 100);
            awaitAll(List.of(before), 100);
            session.close(first);
            RecordingListener after = new RecordingListener();
            session.consumer(topic, "s", after);
            send(producer, 100, 200);
            awaitAll(List.of(after), 100);
            assertThat(after.awaitQuiet(Duration.ofMillis(500), TIMEOUT)).isEqualTo(100);
            assertThat(after.messages())
                    .extracting(message -> NumberedPayload.numberOf(message.payload()))
                    .containsExactlyInAnyOrderElementsOf(
                            IntStream.range(100, 200).boxed().toList());
            assertThat(session.events().clientErrors()).isEmpty();
        }
    }

    @Test
    void groupsAreShareGroupsWithSettingsOfTheirOwnAndGoWithTheirTopics() throws Exception {
        try (DriverSession session = open(new Transaction(10, Duration.ofMillis(50)));
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
            await("the settings of a group that is gone")
                    .atMost(TIMEOUT)
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
        return List.copyOf(admin.listGroups().all().get(TIMEOUT.toSeconds(), TimeUnit.SECONDS));
    }

    private static Map<String, String> settings(Admin admin, String groupId) throws Exception {
        ConfigResource group = new ConfigResource(ConfigResource.Type.GROUP, groupId);
        Map<String, String> settings = new HashMap<>();
        Objects.requireNonNull(admin.describeConfigs(List.of(group))
                        .all()
                        .get(TIMEOUT.toSeconds(), TimeUnit.SECONDS)
                        .get(group))
                .entries()
                .forEach(entry -> settings.put(entry.name(), entry.value()));
        return settings;
    }

    private static DriverSession open(@Nullable Transaction transaction) throws Exception {
        KafkaConfig config = new KafkaConfig(
                1,
                "",
                "",
                "",
                "",
                false,
                io.openmessaging.benchmark.driver.kafka.GroupType.SHARE,
                List.of(),
                transaction,
                null);
        return DriverSession.open(new KafkaBenchmarkDriver(), KAFKA.reach(config), TIMEOUT);
    }

    private static void send(BenchmarkProducer producer, int from, int until) throws Exception {
        List<RecordingCallback> callbacks = new ArrayList<>();
        for (int i = from; i < until; i++) {
            RecordingCallback callback = new RecordingCallback("message " + i);
            callbacks.add(callback);
            producer.send(null, NumberedPayload.of(i, 100), callback);
        }
        for (RecordingCallback callback : callbacks) {
            callback.awaitAcknowledged(TIMEOUT);
        }
    }

    private static void awaitAll(List<RecordingListener> listeners, int messages) {
        await(messages + " messages")
                .atMost(TIMEOUT)
                .until(() ->
                        listeners.stream().mapToInt(RecordingListener::count).sum() >= messages);
    }
}
