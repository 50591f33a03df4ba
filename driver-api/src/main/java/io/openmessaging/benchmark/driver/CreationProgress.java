package io.openmessaging.benchmark.driver;

import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * How far the creation of many clients is, for whoever waits for it: drivers need do nothing for it but use {@link
 * ClientCreation}. Belongs to the thread that calls the driver.
 */
public final class CreationProgress {

    private static final Consumer<String> NOBODY = text -> {};

    private static final ThreadLocal<Consumer<String>> LISTENER = ThreadLocal.withInitial(() -> NOBODY);

    private CreationProgress() {}

    /** Something that creates clients. */
    @FunctionalInterface
    public interface Creation {

        /** Blocks until they are created. */
        void create() throws DriverException, InterruptedException;
    }

    /**
     * Creates clients, and tells after each how many there are.
     *
     * @param listener gets texts such as {@code 4,000 of 10,000 producers}, on any thread
     */
    public static void during(Consumer<String> listener, Creation creation)
            throws DriverException, InterruptedException {
        Consumer<String> before = LISTENER.get();
        LISTENER.set(listener);
        try {
            creation.create();
        } finally {
            LISTENER.set(before);
        }
    }

    /**
     * To be run after each of some clients, on any thread.
     *
     * @param kind what is created, in the plural
     * @param all how many are to be
     */
    static Runnable counter(String kind, int all) {
        Consumer<String> listener = LISTENER.get();
        AtomicInteger created = new AtomicInteger();
        return () -> listener.accept(String.format(Locale.ROOT, "%,d of %,d %s", created.incrementAndGet(), all, kind));
    }
}
