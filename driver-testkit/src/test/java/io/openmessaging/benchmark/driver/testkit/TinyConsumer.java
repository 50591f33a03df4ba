package io.openmessaging.benchmark.driver.testkit;

import io.openmessaging.benchmark.driver.BenchmarkConsumer;
import io.openmessaging.benchmark.driver.MessageListener;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;

/** A consumer with a queue and a thread. */
final class TinyConsumer implements BenchmarkConsumer {

    private final TinyTopic topic;
    private final MessageListener listener;
    private final Defect defect;
    private final LinkedBlockingQueue<TinyTopic.Message> queue = new LinkedBlockingQueue<>();
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean closed;
    private boolean paused;

    TinyConsumer(TinyTopic topic, MessageListener listener, Defect defect) {
        this.topic = topic;
        this.listener = listener;
        this.defect = defect;
        for (int i = 0; i < (defect == Defect.CALLS_OVERLAP ? 2 : 1); i++) {
            Thread thread = new Thread(this::deliver, "tiny-consumer");
            thread.setDaemon(true);
            threads.add(thread);
            thread.start();
        }
    }

    void queue(TinyTopic.Message message) {
        queue.add(message);
    }

    /** Discards messages that are not delivered yet. */
    void drop() {
        queue.clear();
    }

    private void deliver() {
        try {
            while (!closed) {
                TinyTopic.Message message = queue.take();
                if (awaitResume() && defect == Defect.MESSAGES_ARE_LOST_DURING_PAUSE) {
                    continue;
                }
                if (defect == Defect.CONSUMERS_SHARE_A_THREAD) {
                    synchronized (TinyConsumer.class) {
                        call(message);
                    }
                } else {
                    call(message);
                }
            }
        } catch (InterruptedException e) {
            // The consumer was closed.
        }
    }

    private void call(TinyTopic.Message message) {
        if (!closed) {
            listener.received(message.key(), message.payload(), message.partition());
        }
    }

    /** Waits while paused; returns whether it had to wait. */
    private synchronized boolean awaitResume() throws InterruptedException {
        boolean waited = false;
        while (paused) {
            waited = true;
            wait();
        }
        return waited;
    }

    @Override
    public synchronized void pause() {
        paused = defect != Defect.PAUSE_IS_IGNORED;
    }

    @Override
    public synchronized void resume() {
        paused = false;
        notifyAll();
    }

    @Override
    public void close() {
        TinyDriver.endSlowlyIf(defect == Defect.CLOSE_IS_SLOW);
        while (defect == Defect.CLOSE_WAITS_FOR_WHAT_IS_FETCHED && !queue.isEmpty()) {
            Thread.onSpinWait();
        }
        if (defect == Defect.CLOSED_CONSUMERS_GO_ON) {
            return;
        }
        topic.detach(this);
        closed = true;
        threads.forEach(Thread::interrupt);
        boolean interrupted = Thread.interrupted();
        try {
            for (Thread thread : threads) {
                thread.join();
            }
        } catch (InterruptedException e) {
            interrupted = true;
        }
        if (interrupted && defect != Defect.CLOSE_CLEARS_THE_INTERRUPT_STATUS) {
            Thread.currentThread().interrupt();
        }
    }
}
