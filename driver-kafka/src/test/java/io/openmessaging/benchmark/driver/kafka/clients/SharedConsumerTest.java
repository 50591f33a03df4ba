package io.openmessaging.benchmark.driver.kafka.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.benchmark.driver.ConsumerSpec;
import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.DriverContext;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.TopicSpec;
import io.openmessaging.benchmark.driver.testkit.RecordingEvents;
import io.openmessaging.benchmark.driver.testkit.RecordingListener;
import io.openmessaging.benchmark.suite.Patience;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SharedConsumerTest {

    private static final byte[] PAYLOAD = {1};
    private static final TopicPartition A = new TopicPartition("a", 0);
    private static final TopicPartition B0 = new TopicPartition("b", 0);
    private static final TopicPartition B1 = new TopicPartition("b", 1);

    private final FakeClient client = new FakeClient();
    private final RecordingEvents events = new RecordingEvents();
    private final SharedConsumer shared =
            new SharedConsumer(0, "group", client, true, new DriverContext("run", Patience.LIMIT, events));
    private final RecordingListener onA = new RecordingListener();
    private final RecordingListener first = new RecordingListener();
    private final RecordingListener second = new RecordingListener();
    private final SharedMember ofA = member(0, "a", 1, onA);
    private final SharedMember firstOfB = member(1, "b", 2, first);
    private final SharedMember secondOfB = member(2, "b", 2, second);

    private SharedMember member(int id, String topic, int partitions, RecordingListener listener) {
        return new SharedMember(new ConsumerSpec(id, new TopicSpec(topic, partitions), "sub", listener), topic, shared);
    }

    @BeforeEach
    void attach() throws DriverException {
        shared.begin(ofA);
        assertThat(shared.add(firstOfB)).isTrue();
        assertThat(shared.add(secondOfB)).isTrue();
        Patience.await("the subscription").until(() -> client.subscription().equals(Set.of("a", "b")));
        client.assignOnPoll(A, B0, B1);
        Patience.await("the membership").until(() -> {
            GroupConsumer.Membership membership = shared.membership();
            return membership != null && membership.partitions().equals(Set.of(A, B0, B1));
        });
        shared.endAttaching();
    }

    @AfterEach
    void close() throws DriverException {
        ofA.close();
        firstOfB.close();
        secondOfB.close();
        assertThat(shared.awaitReleased(Deadline.in(Patience.LIMIT))).isTrue();
        assertThat(client.closed())
                .as("the client, which goes with the last consumer")
                .isTrue();
        assertThat(shared.add(member(3, "a", 1, onA)))
                .as("a consumer added to a client that has ended")
                .isFalse();
    }

    @Test
    void messagesGoToTheConsumersOfTheirTopicAndPartition() throws Exception {
        client.addOnPoll(A, PAYLOAD);
        client.addOnPoll(B0, PAYLOAD);
        client.addOnPoll(B1, PAYLOAD);
        onA.awaitMessages(1, Patience.LIMIT);
        assertThat(first.awaitMessages(1, Patience.LIMIT)).allMatch(message -> message.partition() == 0);
        assertThat(second.awaitMessages(1, Patience.LIMIT)).allMatch(message -> message.partition() == 1);
    }

    @Test
    void onlyWhatWasDeliveredIsCommitted() throws Exception {
        client.addOnPoll(A, PAYLOAD);
        client.addOnPoll(A, PAYLOAD);
        onA.awaitMessages(2, Patience.LIMIT);
        Patience.await("the committed offsets")
                .untilAsserted(() -> assertThat(client.committed(Set.of(A, B0)))
                        .isEqualTo(Map.of(A, new OffsetAndMetadata(2), B0, new OffsetAndMetadata(0))));
    }

    @Test
    void aPauseHoldsBackTheMessagesOfOneConsumer() throws Exception {
        firstOfB.pause();
        Patience.await("the pause").until(() -> client.paused().equals(Set.of(B0)));
        client.addOnPoll(B0, PAYLOAD);
        client.addOnPoll(B1, PAYLOAD);
        second.awaitMessages(1, Patience.LIMIT);
        client.awaitPolled();
        assertThat(first.count()).isZero();
        firstOfB.resume();
        first.awaitMessages(1, Patience.LIMIT);
    }

    @Test
    void partitionsThatComeBackDuringAPauseArePaused() throws Exception {
        firstOfB.pause();
        Patience.await("the pause").until(() -> client.paused().equals(Set.of(B0)));
        client.assignOnPoll(A);
        client.assignOnPoll(A, B0, B1);
        client.awaitPolled();
        assertThat(client.paused()).isEqualTo(Set.of(B0));
    }

    @Test
    void theOthersOfATopicTakeOverFromOneThatIsClosed() throws Exception {
        firstOfB.close();
        client.addOnPoll(A, PAYLOAD);
        client.addOnPoll(B0, PAYLOAD);
        client.addOnPoll(B1, PAYLOAD);
        onA.awaitMessages(1, Patience.LIMIT);
        second.awaitMessages(2, Patience.LIMIT);
        assertThat(first.count()).isZero();
    }

    @Test
    void theLastOfATopicLeavesItAndTheOthersGoOn() throws Exception {
        ofA.close();
        Patience.await("the subscription").until(() -> client.subscription().equals(Set.of("b")));
        client.assignOnPoll(B0, B1);
        client.addOnPoll(B1, PAYLOAD);
        second.awaitMessages(1, Patience.LIMIT);
    }

    @Test
    void whatIsLeftByAClosedConsumerIsNotCommitted() throws Exception {
        firstOfB.close();
        secondOfB.close();
        // When the topics change, Kafka's mock forgets what was committed.
        Patience.await("the subscription").until(() -> client.subscription().equals(Set.of("a")));
        client.addOnPoll(B0, PAYLOAD);
        client.addOnPoll(A, PAYLOAD);
        onA.awaitMessages(1, Patience.LIMIT);
        Patience.await("the committed offsets")
                .untilAsserted(
                        () -> assertThat(client.committed(Set.of(A))).containsEntry(A, new OffsetAndMetadata(1)));
        assertThat(client.committed(Set.of(B0))).doesNotContainEntry(B0, new OffsetAndMetadata(1));
        assertThat(first.count()).isZero();
    }

    @Test
    void pausingAConsumerWhoseClientHasFailedTellsWhy() {
        client.failEveryPollWith(new SaslAuthenticationException("wrong password"));
        Patience.await("the fatal error").until(() -> events.fatals().size() == 1);
        assertThatThrownBy(ofA::pause)
                .isInstanceOf(DriverException.class)
                .hasMessage("The consumers' shared client 0 of group 'group' cannot continue: wrong password");
    }
}
