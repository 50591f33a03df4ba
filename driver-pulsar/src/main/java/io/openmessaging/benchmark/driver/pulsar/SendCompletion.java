package io.openmessaging.benchmark.driver.pulsar;

import io.openmessaging.benchmark.driver.Calls;
import io.openmessaging.benchmark.driver.Outstanding;
import io.openmessaging.benchmark.driver.SendCallback;
import java.util.function.BiConsumer;
import org.apache.pulsar.client.api.MessageId;
import org.jspecify.annotations.Nullable;

/** Passes on the outcome of one message. One object per message. */
record SendCompletion(SendCallback callback, Outstanding outstanding)
        implements BiConsumer<@Nullable MessageId, @Nullable Throwable> {

    @Override
    public void accept(@Nullable MessageId id, @Nullable Throwable error) {
        answer(error);
    }

    /** Answers the message: it is acknowledged, or has failed if there is an error. */
    void answer(@Nullable Throwable error) {
        if (error == null) {
            callback.acknowledged();
        } else {
            callback.failed(Calls.unwrapped(error));
        }
        outstanding.answered();
    }
}
