package io.openmessaging.benchmark.driver.testkit;

import io.openmessaging.benchmark.driver.MessageListener;
import org.jspecify.annotations.Nullable;

/** Declares that a listener may block. */
record BlockingListener(MessageListener listener) implements MessageListener {

    @Override
    public void received(@Nullable String key, byte[] payload, int partition) {
        listener.received(key, payload, partition);
    }

    @Override
    public boolean mayBlock() {
        return true;
    }
}
