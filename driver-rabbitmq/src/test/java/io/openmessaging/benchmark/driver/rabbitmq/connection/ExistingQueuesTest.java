package io.openmessaging.benchmark.driver.rabbitmq.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.ShutdownSignalException;
import io.openmessaging.benchmark.driver.rabbitmq.config.RabbitMqConfig;
import io.openmessaging.benchmark.driver.rabbitmq.config.RabbitMqConfig.QueueType;
import io.openmessaging.benchmark.driver.rabbitmq.config.TestConfigs;
import io.openmessaging.benchmark.driver.rabbitmq.connection.ExistingQueues.Doubt;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ExistingQueuesTest {

    private static final String QUEUE = " for queue 'q' in vhost '/': ";

    private static final String NOT_DURABLE =
            "PRECONDITION_FAILED - inequivalent arg 'durable'" + QUEUE + "received 'true' but current is 'false'";

    private static final String OTHER_TYPE = "PRECONDITION_FAILED - inequivalent arg 'x-queue-type'" + QUEUE
            + "received the value 'quorum' of type 'longstr' but current is none";

    private static final String LIMITED = "PRECONDITION_FAILED - inequivalent arg 'x-max-length'" + QUEUE
            + "received none but current is the value '1000' of type 'signedint'";

    private static final RabbitMqConfig QUORUM = of(QueueType.QUORUM, false);

    /** Arguments of the declarations. */
    private final List<Map<?, ?>> declared = new ArrayList<>();

    private static RabbitMqConfig of(QueueType type, boolean persistent) {
        return TestConfigs.of("queueType", type, "messagePersistence", persistent, "existingTopics", List.of("q"));
    }

    /** A channel whose broker refuses some methods, by name, with these answers. */
    private Channel channel(Map<String, String> answers) {
        AMQP.Queue.DeclareOk ok = new AMQP.Queue.DeclareOk.Builder()
                .queue("q")
                .messageCount(0)
                .consumerCount(0)
                .build();
        return (Channel) Proxy.newProxyInstance(
                Channel.class.getClassLoader(), new Class<?>[] {Channel.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("queueDeclare")) {
                        assertThat(arguments).startsWith("q", true, false, false);
                        declared.add((Map<?, ?>) arguments[4]);
                    }
                    String answer = answers.get(method.getName());
                    if (answer != null) {
                        throw refusal(answer);
                    }
                    return ok;
                });
    }

    private static IOException refusal(String answer) {
        AMQP.Channel.Close close = new AMQP.Channel.Close.Builder()
                .replyCode(AMQP.PRECONDITION_FAILED)
                .replyText(answer)
                .classId(0)
                .methodId(0)
                .build();
        return new IOException(null, new ShutdownSignalException(false, false, close, null));
    }

    private Optional<Doubt> compared(RabbitMqConfig config, String answer) throws IOException {
        return ExistingQueues.compare(channel(Map.of("queueDeclare", answer)), "q", config);
    }

    @Test
    void aQueueThatIsAsTheFileSaysLeavesNoDoubt() throws Exception {
        assertThat(ExistingQueues.compare(channel(Map.of()), "q", QUORUM)).isEmpty();
    }

    @Test
    void aQueueOfAnotherTypeIsRefusedWithWhatTheFileSaysAndWhatTheBrokerAnswered() {
        assertThatThrownBy(() -> compared(QUORUM, OTHER_TYPE))
                .isInstanceOf(IOException.class)
                .hasMessage("the existing queue 'q' is not what the driver file says, queueType: QUORUM; RabbitMQ"
                        + " answered: " + OTHER_TYPE)
                .satisfies(e -> assertThat(RabbitMqCalls.reason(e)).isEqualTo(e.getMessage()));
    }

    @Test
    void aQueueThatIsNotDurableIsRefusedUnlessItsMessagesAreTransientAnyway() throws Exception {
        assertThatThrownBy(() -> compared(QUORUM, NOT_DURABLE)).hasMessageContaining("queueType: QUORUM; RabbitMQ");
        assertThatThrownBy(() -> compared(of(QueueType.STREAM, false), NOT_DURABLE))
                .hasMessageContaining("queueType: STREAM; RabbitMQ");
        assertThatThrownBy(() -> compared(of(QueueType.CLASSIC, true), NOT_DURABLE))
                .hasMessageContaining("queueType: CLASSIC, messagePersistence: true; RabbitMQ answered: "
                        + "PRECONDITION_FAILED - inequivalent arg 'durable' for queue 'q'");
        assertThat(compared(of(QueueType.CLASSIC, false), NOT_DURABLE)).isEmpty();
    }

    @Test
    void aQueueWithFurtherArgumentsIsUsedButItsTypeIsNotKnown() throws Exception {
        assertThat(compared(QUORUM, LIMITED))
                .contains(new Doubt("RabbitMQ does not reveal the type of the existing queue 'q': " + LIMITED, true));
    }

    @Test
    void whoeverMayNotDeclareAQueueDoesNotKnowIt() throws Exception {
        String denied = "ACCESS_REFUSED - configure access to queue 'q' in vhost '/' refused for user 'me'";
        assertThat(compared(QUORUM, denied))
                .contains(new Doubt("RabbitMQ does not reveal the type of the existing queue 'q': " + denied, false));
    }

    @Test
    void aMissingQueueIsNotDeclared() {
        Channel channel = channel(Map.of("queueDeclarePassive", "NOT_FOUND - no queue 'q' in vhost '/'"));
        assertThatThrownBy(() -> ExistingQueues.compare(channel, "q", QUORUM)).isInstanceOf(IOException.class);
        assertThat(declared).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(QueueType.class)
    void aQueueThatVanishesIsNotCreatedBecauseItsArgumentsAreInvalid(QueueType type) throws Exception {
        assertThat(ExistingQueues.compare(channel(Map.of()), "q", of(type, true)))
                .isEmpty();
        assertThat(declared).hasSize(1);
        assertThat(declared.get(0).get("x-queue-type"))
                .isEqualTo(
                        type == QueueType.SUPER_STREAM ? "stream" : type.name().toLowerCase(Locale.ROOT));
        assertThat(declared.get(0).containsValue(0))
                .as("RabbitMQ requires at least 1")
                .isTrue();
    }

    @Test
    void aLostConnectionIsNoAnswer() {
        Channel channel = (Channel) Proxy.newProxyInstance(
                Channel.class.getClassLoader(), new Class<?>[] {Channel.class}, (proxy, method, arguments) -> {
                    throw new IOException("broken pipe");
                });
        assertThatThrownBy(() -> ExistingQueues.compare(channel, "q", QUORUM)).hasMessage("broken pipe");
    }
}
