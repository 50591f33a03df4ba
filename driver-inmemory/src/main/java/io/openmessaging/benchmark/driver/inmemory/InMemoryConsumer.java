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
 * One consumer. With {@link Delivery#QUEUED}, or if its listener {@linkplain MessageListener#mayBlock() may block}, it has
 * a queue as long as it is attached; otherwise from a pause until it has caught up.
 */
final class InMemoryConsumer implements BenchmarkConsumer {

    private final ConsumerSpec spec;
    private final Topic topic;
    private final InMemoryBroker broker;
    private final DriverEvents events;
    private final boolean alwaysQueued;

    // Inside the topic's gate only.
    private boolean attached;
    private boolean paused;
    private @Nullable QueuedOutlet queue;
    private Outlet outlet = Outlet.CLOSED;

    /** Attached by {@link Topic#attach}. */
    InMemoryConsumer(ConsumerSpec spec, Topic topic, InMemoryBroker broker, DriverEvents events) {
        this.spec = spec;
        this.topic = topic;
        this.broker = broker;
        this.events = events;
        // A producer's thread must not wait for a listener, nor one consumer for another.
        this.alwaysQueued =
                broker.config().delivery() == Delivery.QUEUED || spec.listener().mayBlock();
    }

    ConsumerSpec spec() {
        return spec;
    }

    /** What its thread is called while it has one. */
    String name() {
        return "inmemory-consumer-" + spec.id();
    }

    DriverEvents events() {
        return events;
    }

    /** Where the messages of its partitions go. Inside the gate. */
    Outlet outlet() {
        return outlet;
    }

    /** Begins delivery, first of what is there already. Inside the gate. */
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
     * Ends delivery: the listener is not called any more on return. Inside the gate.
     *
     * @return what was not delivered
     */
    List<Message> detach() throws DriverException {
        attached = false;
        outlet = Outlet.CLOSED;
        QueuedOutlet stopped = queue;
        queue = null;
        return stopped == null ? List.of() : stopped.stop();
    }

    /** Asked on the queue's thread each time that nothing is left to deliver; true if the queue is not needed any more. */
    boolean endsQueue(QueuedOutlet idle) {
        // Whoever stops this queue holds the gate and waits for its thread, which therefore must not insist.
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
