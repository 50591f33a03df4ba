package io.openmessaging.benchmark.driver.redis;

import io.openmessaging.benchmark.driver.SendCallback;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.args.Rawable;

/** Pushes frames to the list of each subscription. */
final class ListPublisher implements Publisher {

    private final ListTargets targets;

    ListPublisher(ListTargets targets) {
        this.targets = targets;
    }

    @Override
    public void publish(
            CommandPipeline pipeline, int partition, @Nullable String key, byte[] payload, SendCallback callback)
            throws InterruptedException {
        Rawable[] lists = targets.lists(partition);
        byte[] frame = Frame.of(key, payload);
        SendCallback each = lists.length == 1 ? callback : new LastOf(lists.length, callback);
        for (int i = 0; i < lists.length; i++) {
            try {
                pipeline.submit(
                        new CommandArguments(Command.LPUSH).add(lists[i]).add(frame), each);
            } catch (InterruptedException e) {
                if (i == 0) {
                    throw e;
                }
                // Some lists have it: the send has happened, and failed.
                for (int missing = i; missing < lists.length; missing++) {
                    each.failed(e);
                }
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    /** Tells of the outcome of several commands when all are answered: the first failure, if there is one. */
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

        /** Called by the pipeline's reader, or by the sender for what the pipeline refuses. */
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
