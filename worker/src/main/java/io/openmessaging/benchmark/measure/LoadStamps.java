package io.openmessaging.benchmark.measure;

import java.util.Collection;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The times at which one thread sent, confirmed or received the first message of the latest load, and the last message
 * of all. Written by that thread, read by any.
 */
final class LoadStamps {

    /** Messages of a load are recognised by their send time: loads do not overlap. */
    private final AtomicLong loadBeginNs;

    private final Counter firstNs = new Counter();
    private final Counter lastNs = new Counter();

    LoadStamps(AtomicLong loadBeginNs) {
        this.loadBeginNs = loadBeginNs;
    }

    /** Notes the event for a message, now. */
    void add(long sentNs, long nowNs) {
        long beginNs = loadBeginNs.get();
        if (sentNs >= beginNs && firstNs.get() < beginNs) {
            firstNs.set(nowNs);
        }
        lastNs.set(nowNs);
    }

    /** Returns the first times of threads, except those before a time. */
    static <T> LongStream firsts(Collection<T> threads, Function<T, @Nullable LoadStamps> stampsOf, long fromNs) {
        return of(threads, stampsOf).mapToLong(stamps -> stamps.firstNs.get()).filter(ns -> ns >= fromNs);
    }

    /** Returns the last times of threads, except those before a time. */
    static <T> LongStream lasts(Collection<T> threads, Function<T, @Nullable LoadStamps> stampsOf, long fromNs) {
        return of(threads, stampsOf).mapToLong(stamps -> stamps.lastNs.get()).filter(ns -> ns >= fromNs);
    }

    private static <T> Stream<LoadStamps> of(Collection<T> threads, Function<T, @Nullable LoadStamps> stampsOf) {
        return threads.stream().map(stampsOf).filter(Objects::nonNull).map(Objects::requireNonNull);
    }
}
