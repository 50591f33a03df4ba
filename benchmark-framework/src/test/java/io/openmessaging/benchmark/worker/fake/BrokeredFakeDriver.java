package io.openmessaging.benchmark.worker.fake;

import java.util.Optional;

/** The same driver, of a system whose broker can be started on this machine. */
public final class BrokeredFakeDriver extends FakeDriver {

    @Override
    public Optional<String> localBroker() {
        return Optional.of("fake");
    }
}
