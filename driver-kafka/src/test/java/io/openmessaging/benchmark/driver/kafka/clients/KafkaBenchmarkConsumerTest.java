package io.openmessaging.benchmark.driver.kafka.clients;

import static io.openmessaging.benchmark.driver.kafka.clients.FakeClient.partition;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.benchmark.driver.ConsumerSpec;
import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.DriverContext;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.MessageListener;
import io.openmessaging.benchmark.driver.TopicSpec;
import io.openmessaging.benchmark.driver.testkit.RecordingEvents;
import io.openmessaging.benchmark.driver.testkit.RecordingListener;
import io.openmessaging.benchmark.suite.Patience;
import java.time.Duration;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.NoOffsetForPartitionException;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.CorruptRecordException;
import org.apache.kafka.common.errors.DisconnectException;
import org.apache.kafka.common.errors.FencedInstanceIdException;
import org.apache.kafka.common.errors.GroupAuthorizationException;
import org.apache.kafka.common.errors.RebalanceInProgressException;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class KafkaBenchmarkConsumerTest {

    private static final byte[] PAYLOAD = {1};

    private final FakeClient client = new FakeClient();
    private final RecordingEvents events = new RecordingEvents();
    private final RecordingListener listener = new RecordingListener();
    private final KafkaBenchmarkConsumer consumer = start(7, client, listener);

    private KafkaBenchmarkConsumer start(int id, FakeClient with, MessageListener to) {
        return start(id, with, to, Patience.LIMIT);
    }

    private KafkaBenchmarkConsumer start(int id, FakeClient with, MessageListener to, Duration timeout) {
        ConsumerSpec spec = new ConsumerSpec(id, new TopicSpec(FakeClient.TOPIC, 2), "sub", to);
        return new KafkaBenchmarkConsumer(
                spec, FakeClient.TOPIC, "group", with, true, new DriverContext("run", timeout, events));
    }

    @AfterEach
    void close() throws DriverException {
        consumer.close();
        assertThat(consumer.awaitReleased(Deadline.in(Patience.LIMIT))).isTrue();
        assertThat(client.closed())
                .as("the client of a closed consumer is closed")
                .isTrue();
    }

    private void attach(Integer... partitions) throws DriverException {
        client.assignOnPoll(partitions);
        Patience.await("the membership").until(() -> {
            KafkaBenchmarkConsumer.Membership membership = consumer.membership();
            return membership != null && membership.partitions().size() == partitions.length;
        });
        consumer.endAttaching();
    }

    @Test
    void isAMemberOnceItsPositionsAreFixed() throws DriverException {
        attach(0, 1);
        KafkaBenchmarkConsumer.Membership membership = consumer.membership();
        assertThat(membership).isNotNull();
        assertThat(membership.partitions()).isEqualTo(Set.of(partition(0), partition(1)));
        assertThat(client.committed(Set.of(partition(0), partition(1))))
                .as("offsets that a consumer taking over a partition would begin with")
                .hasSize(2)
                .allSatisfy((p, offset) -> assertThat(offset.offset()).isZero());
    }

    @Test
    void deliversAndCommits() throws Exception {
        attach(0);
        client.addOnPoll(0, PAYLOAD);
        client.addOnPoll(0, PAYLOAD);
        assertThat(listener.awaitMessages(2, Patience.LIMIT)).allMatch(message -> message.partition() == 0);
        Patience.await("the committed offsets")
                .untilAsserted(() -> assertThat(client.committed(Set.of(partition(0))))
                        .containsEntry(partition(0), new OffsetAndMetadata(2)));
        assertThat(events.clientErrors()).isEmpty();
    }

    @Test
    void oneCommitIsUnderWayAtATime() throws Exception {
        attach(0);
        client.leaveCommitsUnanswered();
        for (int i = 0; i < 5; i++) {
            client.addOnPoll(0, PAYLOAD);
            client.awaitPolled();
        }
        listener.awaitMessages(5, Patience.LIMIT);
        client.awaitPolled();
        assertThat(client.unansweredCommits()).isEqualTo(1);

        client.answerCommitOnPoll(null);
        Patience.await("the commit of what came meanwhile").until(() -> client.unansweredCommits() == 1);
        client.answerCommitOnPoll(null);
        client.awaitPolled();
        client.awaitPolled();
        assertThat(client.unansweredCommits()).as("commits of nothing new").isZero();
    }

    @Test
    void aCommitThatFailsIsCountedAndMadeUpFor() throws Exception {
        attach(0);
        client.leaveCommitsUnanswered();
        client.addOnPoll(0, PAYLOAD);
        Patience.await("a commit").until(() -> client.unansweredCommits() == 1);
        client.answerCommitOnPoll(new RebalanceInProgressException());
        Patience.await("a second attempt")
                .until(() -> events.clientErrors().size() == 1 && client.unansweredCommits() == 1);
        assertThat(events.clientErrors().get(0).kind()).isEqualTo("offset commit");
        assertThat(events.fatals()).isEmpty();
    }

    @Test
    void anErrorOfAPollIsCountedAndSurvived() throws Exception {
        attach(0);
        client.schedulePollTask(() -> client.setPollException(new DisconnectException("gone for a moment")));
        client.schedulePollTask(() -> client.setPollException(new CorruptRecordException("one bad batch")));
        client.addOnPoll(0, PAYLOAD);
        listener.awaitMessages(1, Patience.LIMIT);
        assertThat(events.clientErrors())
                .extracting(RecordingEvents.ClientError::kind)
                .containsExactly("consumer poll", "consumer poll");
        assertThat(events.clientErrors().get(0).cause()).hasMessage("gone for a moment");
        assertThat(events.fatals()).isEmpty();
    }

    @Test
    void errorsThatDoNotEndAreFatalAndTriedWithPauses() throws Exception {
        Duration timeout = Duration.ofSeconds(1);
        FakeClient other = new FakeClient();
        KafkaBenchmarkConsumer failing = start(8, other, listener, timeout);
        other.assignOnPoll(0);
        Patience.await("the membership").until(() -> failing.membership() != null);
        failing.endAttaching();
        other.failEveryPollWith(new DisconnectException("gone for good"));
        Patience.await("the fatal error").until(() -> events.fatals().size() == 1);
        assertThat(events.fatals().get(0))
                .hasMessage("Consumer 8 of topic 'topic', subscription 'sub', cannot continue: gone for good");
        assertThat(events.clientErrors())
                .as("attempts within %s, 100 ms apart", timeout)
                .hasSizeBetween(2, 15);
        failing.close();
    }

    @ParameterizedTest
    @MethodSource("notSurvived")
    void anErrorThatCannotBeSurvivedIsFatalAtOnce(KafkaException error) throws Exception {
        attach(0);
        client.failEveryPollWith(error);
        Patience.await("the fatal error").until(() -> events.fatals().size() == 1);
        assertThat(events.fatals().get(0)).isInstanceOf(DriverException.class).hasCause(error);
        assertThat(events.clientErrors()).isEmpty();
    }

    static Stream<KafkaException> notSurvived() {
        return Stream.of(
                new TopicAuthorizationException(Set.of("topic")),
                GroupAuthorizationException.forGroupId("group"),
                new SaslAuthenticationException("wrong password"),
                new FencedInstanceIdException("another one"),
                new NoOffsetForPartitionException(partition(0)),
                new KafkaException("wrapped", new TopicAuthorizationException(Set.of("topic"))));
    }

    @Test
    void anErrorBeforeAttachingIsOneOfTheCreationAndNotOfTheRun() {
        client.failEveryPollWith(new SaslAuthenticationException("wrong password"));
        Patience.await("the failure")
                .untilAsserted(() -> assertThatThrownBy(consumer::throwIfFailed)
                        .isInstanceOf(DriverException.class)
                        .hasMessageEndingWith("cannot continue: wrong password"));
        assertThat(events.fatals()).isEmpty();
    }

    @Test
    void aListenerThatThrowsIsFatal() throws Exception {
        FakeClient other = new FakeClient();
        KafkaBenchmarkConsumer failing = start(8, other, (key, payload, partition) -> {
            throw new IllegalStateException("a listener does not throw");
        });
        other.assignOnPoll(0);
        Patience.await("the membership").until(() -> failing.membership() != null);
        failing.endAttaching();
        other.addOnPoll(0, PAYLOAD);
        Patience.await("the fatal error").until(() -> events.fatals().size() == 1);
        assertThat(events.fatals().get(0)).hasMessageEndingWith("cannot continue: a listener does not throw");
        failing.close();
        assertThat(failing.awaitReleased(Deadline.in(Patience.LIMIT))).isTrue();
        assertThat(other.closed()).isTrue();
    }

    @Test
    void pauseHoldsMessagesBackAndResumeDeliversThem() throws Exception {
        attach(0);
        consumer.pause();
        assertThat(client.paused()).containsExactly(partition(0));
        client.addOnPoll(0, PAYLOAD);
        client.awaitPolled();
        client.awaitPolled();
        assertThat(listener.count()).isZero();
        consumer.resume();
        assertThat(client.paused()).isEmpty();
        listener.awaitMessages(1, Patience.LIMIT);
    }

    @Test
    void partitionsAssignedDuringAPauseArePaused() throws Exception {
        attach(0);
        consumer.pause();
        client.assignOnPoll(0, 1);
        client.awaitPolled();
        assertThat(client.paused()).containsExactlyInAnyOrder(partition(0), partition(1));
        consumer.resume();
        assertThat(client.paused()).isEmpty();
    }

    @Test
    void partitionsThatWereLostAreCounted() throws Exception {
        attach(0);
        client.schedulePollTask(() -> client.losePartitions(Set.of(partition(0))));
        client.awaitPolled();
        assertThat(events.clientErrors())
                .extracting(RecordingEvents.ClientError::kind)
                .containsExactly("partitions lost");
    }

    @Test
    void pausingAConsumerThatHasFailedTellsWhy() throws Exception {
        attach(0);
        client.failEveryPollWith(new SaslAuthenticationException("wrong password"));
        Patience.await("the fatal error").until(() -> events.fatals().size() == 1);
        assertThatThrownBy(consumer::pause)
                .isInstanceOf(DriverException.class)
                .hasMessageEndingWith("cannot continue: wrong password");
    }

    @Test
    void closingTwiceDoesNoHarm() throws Exception {
        attach(0);
        consumer.close();
        consumer.close();
        assertThat(events.clientErrors()).isEmpty();
    }
}
