package io.openmessaging.benchmark.measure;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A number that one thread writes with each message: {@link #add} and {@link #set} by one thread at a time, {@link
 * #get} by any thread. It has cache lines of its own, see {@link PaddedLong}.
 *
 * <p>A reader of a count also sees everything counted elsewhere before it: a message is counted as sent before it is
 * counted as acknowledged, so a reader that reads the acknowledged count first never finds more acknowledged than
 * sent.
 */
@SuppressWarnings({"unused", "MultipleVariableDeclarations"})
public final class Counter extends PaddedLong {

    private static final VarHandle VALUE;

    static {
        try {
            VALUE = MethodHandles.lookup().findVarHandle(PaddedLong.class, "value", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private long q01, q02, q03, q04, q05, q06, q07, q08, q09, q10, q11, q12, q13, q14, q15, q16;

    /** Adds an amount. Never waits; readers never see a torn value. */
    public void add(long amount) {
        VALUE.setRelease(this, value + amount);
    }

    /** Replaces the number, under the rules of {@link #add}. */
    public void set(long newValue) {
        VALUE.setRelease(this, newValue);
    }

    /** Returns the current number. */
    public long get() {
        return (long) VALUE.getAcquire(this);
    }
}
