package io.openmessaging.benchmark.driver.redis;

import io.openmessaging.benchmark.driver.SendCallback;
import io.openmessaging.benchmark.driver.TopicSpec;
import io.openmessaging.benchmark.driver.redis.link.CommandSink;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.args.Rawable;
import redis.clients.jedis.args.RawableFactory;

/** Pushes the messages of a topic to the list of each subscription. Shared by the producers of the topic. */
final class ListPublisher implements Transport.Publisher {

    private final TopicSpec topic;

    /** Indexed by partition; at least one list for each. */
    private volatile Rawable[][] lists;

    /** Starts without subscriptions. */
    ListPublisher(TopicSpec topic) {
        this.topic = topic;
        this.lists = lists(Set.of());
    }

    /** Replaces the subscriptions that messages go to from now on. */
    void update(Set<String> subscriptions) {
        lists = lists(subscriptions);
    }

    private Rawable[][] lists(Set<String> subscriptions) {
        Rawable[][] ofPartitions = new Rawable[topic.partitions()][];
        for (int i = 0; i < ofPartitions.length; i++) {
            int partition = i;
            // Messages without a subscription are stored, too: a run without consumers measures pushing.
            ofPartitions[i] = subscriptions.isEmpty()
                    ? new Rawable[] {RawableFactory.from(PartitionKeys.listOfNobody(topic, partition))}
                    : subscriptions.stream()
                            .map(name -> RawableFactory.from(PartitionKeys.list(topic, partition, name)))
                            .toArray(Rawable[]::new);
        }
        return ofPartitions;
    }

    @Override
    public void publish(CommandSink sink, int partition, @Nullable String key, byte[] payload, SendCallback callback)
            throws InterruptedException {
        Rawable[] targets = lists[partition];
        byte[] frame = Frame.of(key, payload);
        SendCallback each = targets.length == 1 ? callback : new LastOf(targets.length, callback);
        for (int i = 0; i < targets.length; i++) {
            try {
                sink.submit(new CommandArguments(Command.LPUSH).add(targets[i]).add(frame), each);
            } catch (InterruptedException e) {
                if (i == 0) {
                    throw e;
                }
                // Some lists have the message: the send has taken place, and has failed.
                for (int missing = i; missing < targets.length; missing++) {
                    each.failed(e);
                }
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    /** Reports one outcome for several commands once all are answered: the first failure, if any. */
    private static final class LastOf implements SendCallback {

        private final SendCallback callback;
        private int missing;
        private @Nullable Throwable failure;

        LastOf(int commands, SendCallback callback) {
            this.missing = commands;
            this.callback = callback;
        }

        @Override
        public void acknowledged() {
            answered(null);
        }

        @Override
        public void failed(Throwable cause) {
            answered(cause);
        }

        /** Called by the pipeline's reader, or by the sender if the pipeline refuses a command. */
        private void answered(@Nullable Throwable cause) {
            Throwable outcome;
            synchronized (this) {
                failure = failure == null ? cause : failure;
                if (--missing > 0) {
                    return;
                }
                outcome = failure;
            }
            if (outcome == null) {
                callback.acknowledged();
            } else {
                callback.failed(outcome);
            }
        }
    }
}
