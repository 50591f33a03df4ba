package io.openmessaging.benchmark.driver.inmemory;

import io.openmessaging.benchmark.driver.BenchmarkConsumer;
import io.openmessaging.benchmark.driver.ConsumerSpec;
import io.openmessaging.benchmark.driver.DriverEvents;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.MessageListener;
import io.openmessaging.benchmark.driver.inmemory.InMemoryConfig.Delivery;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One consumer. With {@link Delivery#QUEUED}, or if its listener {@linkplain MessageListener#mayBlock() may block}, it
 * has a queue as long as it is attached; otherwise only from a pause until it has caught up.
 */
final class InMemoryConsumer implements BenchmarkConsumer {

    private final ConsumerSpec spec;
    private final Topic topic;
    private final InMemoryBroker broker;
    private final DriverEvents events;
    private final boolean alwaysQueued;

    // Used inside the topic's gate only.
    private boolean attached;
    private boolean paused;
    private @Nullable QueuedOutlet queue;
    private Outlet outlet = Outlet.CLOSED;

    /** Creates a consumer, which {@link Topic#attach} attaches. */
    InMemoryConsumer(ConsumerSpec spec, Topic topic, InMemoryBroker broker, DriverEvents events) {
        this.spec = spec;
        this.topic = topic;
        this.broker = broker;
        this.events = events;
        // A listener must not block a producer's thread, nor may one consumer block another.
        this.alwaysQueued =
                broker.config().delivery() == Delivery.QUEUED || spec.listener().mayBlock();
    }

    ConsumerSpec spec() {
        return spec;
    }

    /** Returns the name of its thread, while it has one. */
    String name() {
        return "inmemory-consumer-" + spec.id();
    }

    DriverEvents events() {
        return events;
    }

    /** Returns the outlet for the messages of its partitions. Called inside the gate. */
    Outlet outlet() {
        return outlet;
    }

    /** Starts delivery with the messages that are already there. Called inside the gate. */
    void attach(List<Message> undelivered) {
        attached = true;
        if (alwaysQueued || paused || !undelivered.isEmpty()) {
            startQueue(undelivered);
        } else {
            outlet = new Outlet.Direct(spec.listener());
        }
    }

    private void startQueue(List<Message> undelivered) {
        QueuedOutlet started = new QueuedOutlet(this, broker.config(), broker.budget(), undelivered);
        started.setPaused(paused);
        started.start();
        queue = started;
        outlet = broker.config().delivery() == Delivery.DIRECT ? new Outlet.Copying(started) : started;
    }

    /**
     * Ends delivery: once this returns, the listener is not called any more. Called inside the gate.
     *
     * @return the undelivered messages
     */
    List<Message> detach() throws DriverException {
        attached = false;
        outlet = Outlet.CLOSED;
        QueuedOutlet stopped = queue;
        queue = null;
        return stopped == null ? List.of() : stopped.stop();
    }

    /**
     * Returns true if the queue is no longer needed. Called on the queue's thread each time that nothing is left to
     * deliver.
     */
    boolean endsQueue(QueuedOutlet idle) {
        // A thread that stops this queue holds the gate and waits for the queue's thread, which must therefore give up.
        return !alwaysQueued
                && topic.changeUnless(idle::isStopping, () -> {
                    boolean ends = queue == idle && !paused && idle.isEmpty();
                    if (ends) {
                        queue = null;
                        outlet = new Outlet.Direct(spec.listener());
                    }
                    return ends;
                });
    }

    @Override
    public void pause() throws DriverException {
        topic.change(() -> setPaused(true));
    }

    @Override
    public void resume() throws DriverException {
        topic.change(() -> setPaused(false));
    }

    private void setPaused(boolean paused) {
        this.paused = paused;
        if (queue != null) {
            queue.setPaused(paused);
        } else if (attached && paused) {
            startQueue(List.of());
        }
    }

    @Override
    public void close() throws DriverException {
        topic.detach(this);
    }
}
