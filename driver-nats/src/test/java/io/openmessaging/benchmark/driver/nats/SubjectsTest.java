package io.openmessaging.benchmark.driver.nats;

import static org.assertj.core.api.Assertions.assertThat;

import io.nats.client.impl.NatsMessage;
import io.openmessaging.benchmark.driver.MessageListener;
import io.openmessaging.benchmark.driver.TopicSpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class SubjectsTest {

    @Test
    void aPartitionIsTheLastPartOfASubject() {
        assertThat(Subjects.of(new TopicSpec("orders", 2))).containsExactly("orders.0", "orders.1");
        assertThat(Subjects.partition(
                        NatsMessage.builder().subject("orders.120").build()))
                .isEqualTo(120);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "$JS.ACK.orders.s.1.7.7.1700000000123456789.0",
                "$JS.ACK.hub.hash.orders.s.1.7.7.1700000000123456789.0",
                "$JS.ACK.hub.hash.orders.s.1.7.7.1700000000123456789.0.random"
            })
    void theTimeOfAMessageIsInTheSubjectOfItsAcknowledgement(String reply) {
        assertThat(Subjects.timeMs(reply)).isEqualTo(1_700_000_000_123L);
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(strings = {"_INBOX.a.b", "$JS.ACK.", "$JS.ACK.orders.s"})
    void aMessageThatIsInNoStreamHasNoTime(String reply) {
        assertThat(Subjects.timeMs(reply)).isEqualTo(MessageListener.NO_TIME);
    }
}
