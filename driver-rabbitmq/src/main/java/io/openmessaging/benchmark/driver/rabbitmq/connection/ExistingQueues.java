package io.openmessaging.benchmark.driver.rabbitmq.connection;

import static io.openmessaging.benchmark.driver.rabbitmq.connection.RabbitMqCalls.CALLS;

import com.rabbitmq.client.Channel;
import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.rabbitmq.config.RabbitMqConfig;
import io.openmessaging.benchmark.driver.rabbitmq.config.RabbitMqConfig.QueueType;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Compares existing queues and streams with the driver file. AMQP does not reveal of what type a queue is. However,
 * RabbitMQ refuses to declare an existing queue with another type or durability, and names the first difference.
 */
final class ExistingQueues {

    /** Names the property or argument that differs. RabbitMQ compares durability before all arguments. */
    private static final Pattern DIFFERENCE = Pattern.compile("inequivalent arg '([^']+)'");

    private static final String TYPE = "x-queue-type";

    private final RabbitMqConfig config;
    private final RecoveringConnection control;

    ExistingQueues(RabbitMqConfig config, RecoveringConnection control) {
        this.config = config;
        this.control = control;
    }

    /**
     * What is not known about a queue.
     *
     * @param reason a sentence without a full stop
     * @param durable true if the queue is known to be durable
     */
    record Doubt(String reason, boolean durable) {}

    /**
     * Returns what is not known about the queues of {@code existingTopics}, if it matters to their guarantee. Streams
     * need no comparison, because their protocol reaches nothing else. Transient messages have the weakest guarantee in
     * any queue.
     */
    Optional<Doubt> doubt(Deadline deadline) throws InterruptedException {
        if (config.queueType().isStream() || areMessagesTransient(config)) {
            return Optional.empty();
        }
        try {
            return CALLS.ask("compare the existing queues", deadline, () -> compareAll(config.existingTopics()));
        } catch (DriverException e) {
            // If a queue is missing or differs, the run ends when it creates its topics.
            return Optional.of(new Doubt(String.valueOf(e.getMessage()), false));
        }
    }

    /**
     * Compares queues, each on a channel of its own, since RabbitMQ closes a channel when it refuses a declaration.
     *
     * @return what is not known about one of them, preferably one that may be transient; empty if all are as the driver
     *     file says
     * @throws IOException if one is missing or differs
     */
    Optional<Doubt> compareAll(List<String> queues) throws Exception {
        List<Doubt> doubts = new ArrayList<>();
        for (String queue : queues) {
            control.on(channel -> compare(channel, queue, config).ifPresent(doubts::add));
        }
        // false comes first.
        return doubts.stream().min(Comparator.comparing(Doubt::durable));
    }

    private static boolean areMessagesTransient(RabbitMqConfig config) {
        return config.queueType() == QueueType.CLASSIC && !config.messagePersistence();
    }

    /**
     * Compares a queue with the driver file. Never creates it.
     *
     * @param channel a channel that may be closed afterwards
     * @return what is not known; empty if the queue is as the driver file says
     * @throws IOException if the queue is missing or differs
     */
    static Optional<Doubt> compare(Channel channel, String queue, RabbitMqConfig config) throws IOException {
        channel.queueDeclarePassive(queue);
        try {
            channel.queueDeclare(queue, true, false, false, arguments(config.queueType()));
            return Optional.empty();
        } catch (IOException e) {
            if (Channels.replyCode(e) == 0) {
                throw e;
            }
            return judge(queue, RabbitMqCalls.reason(e), config);
        }
    }

    /**
     * The type, and an invalid argument that only another type has. RabbitMQ compares only arguments that the existing
     * queue's type has. If the queue was deleted in the meantime, however, it would check all arguments and refuse to
     * create the queue.
     */
    private static Map<String, Object> arguments(QueueType type) {
        return switch (type) {
            case CLASSIC -> Map.of(TYPE, "classic", "x-initial-cluster-size", 0);
            case QUORUM -> Map.of(TYPE, "quorum", "x-initial-cluster-size", 0);
            case STREAM, SUPER_STREAM -> Map.of(TYPE, "stream", "x-quorum-initial-group-size", 0);
        };
    }

    private static Optional<Doubt> judge(String queue, String answer, RabbitMqConfig config) throws IOException {
        Matcher difference = DIFFERENCE.matcher(answer);
        String differing = difference.find() ? difference.group(1) : "";
        boolean isTransient = differing.equals("durable");
        if (isTransient && areMessagesTransient(config)) {
            // Only classic queues can be transient, so the type is right.
            return Optional.empty();
        }
        if (isTransient || differing.equals(TYPE)) {
            throw new IOException("the existing queue '" + queue + "' is not what the driver file says, queueType: "
                    + config.queueType()
                    + (config.queueType() == QueueType.CLASSIC && isTransient ? ", messagePersistence: true" : "")
                    + "; RabbitMQ answered: " + answer);
        }
        return Optional.of(new Doubt(
                "RabbitMQ does not reveal the type of the existing queue '" + queue + "': " + answer,
                differing.startsWith("x-")));
    }
}
