package io.openmessaging.benchmark.driver.nats;

import io.nats.client.Message;
import io.openmessaging.benchmark.driver.MessageListener;
import io.openmessaging.benchmark.driver.TopicSpec;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Names of subjects: partition 2 of a topic has the subject {@code topic.2}. */
final class Subjects {

    private static final String OF_ACKNOWLEDGEMENT = "$JS.ACK.";

    /** Number of parts of the subject for the acknowledgement of a message, without a domain. */
    private static final int PARTS = 9;

    private static final long NS_PER_MS = 1_000_000;

    private Subjects() {}

    /** Returns the subjects of a topic's partitions. */
    static String[] of(TopicSpec topic) {
        return IntStream.range(0, topic.partitions())
                .mapToObj(partition -> topic.name() + "." + partition)
                .toArray(String[]::new);
    }

    /** Returns a subject that stands for all partitions of a topic. */
    static String all(TopicSpec topic) {
        return topic.name() + ".*";
    }

    /** Returns the partition of a message. */
    static int partition(Message message) {
        String subject = message.getSubject();
        int partition = 0;
        for (int i = subject.lastIndexOf('.') + 1; i < subject.length(); i++) {
            partition = partition * 10 + subject.charAt(i) - '0';
        }
        return partition;
    }

    /**
     * Returns when the server stored a message of a stream, which is part of the subject for its acknowledgement: {@code
     * $JS.ACK.stream.consumer.delivered.sequence.sequence.time.pending}, or with two more parts after {@code ACK} and
     * one more at the end. The client's own parser creates some twenty objects for each message.
     *
     * @param reply that subject; null if the message has none
     * @return epoch milliseconds
     */
    static long timeMs(@Nullable String reply) {
        if (reply == null || !reply.startsWith(OF_ACKNOWLEDGEMENT)) {
            return MessageListener.NO_TIME;
        }
        int parts = 1;
        for (int i = 0; i < reply.length(); i++) {
            parts += reply.charAt(i) == '.' ? 1 : 0;
        }
        int end = reply.lastIndexOf('.');
        if (parts > PARTS + 2) {
            end = reply.lastIndexOf('.', end - 1);
        }
        int start = reply.lastIndexOf('.', end - 1) + 1;
        try {
            return Long.parseLong(reply, start, end, 10) / NS_PER_MS;
        } catch (NumberFormatException e) {
            return MessageListener.NO_TIME;
        }
    }
}
