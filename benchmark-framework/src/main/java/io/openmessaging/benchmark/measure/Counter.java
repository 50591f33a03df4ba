package io.openmessaging.benchmark.measure;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Counts up. {@link #add} by one thread at a time, {@link #get} by any thread.
 *
 * <p>Who has read a count sees everything that was counted elsewhere before it: a message is counted as sent before it
 * is counted as acknowledged, and a reader that reads them the other way round never finds more acknowledged than sent.
 */
public final class Counter {

    private static final VarHandle VALUE;

    static {
        try {
            VALUE = MethodHandles.lookup().findVarHandle(Counter.class, "value", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private long value;

    /** Adds, without waiting for or being seen torn by readers. */
    public void add(long amount) {
        VALUE.setRelease(this, value + amount);
    }

    /** What was added so far. */
    public long get() {
        return (long) VALUE.getAcquire(this);
    }
}
