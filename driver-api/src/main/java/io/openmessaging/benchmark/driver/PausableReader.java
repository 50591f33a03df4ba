package io.openmessaging.benchmark.driver;

/** The state of a consumer whose client cannot pause, and whose own thread waits instead. Thread-safe. */
public abstract class PausableReader {

    private volatile boolean paused;
    private volatile boolean ended;

    public final synchronized void pause() {
        paused = true;
    }

    public final synchronized void resume() {
        paused = false;
        notifyAll();
    }

    protected final synchronized void end() {
        ended = true;
        notifyAll();
    }

    protected final boolean isPaused() {
        return paused;
    }

    protected final boolean hasEnded() {
        return ended;
    }

    /** Waits while this is paused; returns false once it has ended. */
    protected final synchronized boolean awaitResumed() throws InterruptedException {
        while (paused && !ended) {
            wait();
        }
        return !ended;
    }
}
