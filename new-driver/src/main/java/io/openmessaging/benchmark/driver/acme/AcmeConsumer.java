package io.openmessaging.benchmark.driver.acme;

import io.openmessaging.benchmark.driver.BenchmarkConsumer;

/**
 * Reads one topic for one subscription. The client has a thread for each subscription. With a client that calls several
 * of them on one thread, give each whose listener may block a {@code DeliveryThread}.
 */
final class AcmeConsumer implements BenchmarkConsumer {

    private final AcmeClient.Subscription subscription;

    AcmeConsumer(AcmeClient.Subscription subscription) {
        this.subscription = subscription;
    }

    @Override
    public void pause() {
        subscription.pause();
    }

    @Override
    public void resume() {
        subscription.resume();
    }

    @Override
    public void close() {
        subscription.close();
    }
}
