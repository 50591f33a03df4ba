package io.openmessaging.benchmark.measure;

import java.util.Collection;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * When the first message of the latest load, and the last of all, was sent, confirmed or received by one thread. Written by
 * that thread, read by any.
 */
final class LoadStamps {

    /** A load's messages are known by when they were sent: loads do not overlap. */
    private final AtomicLong loadBeginNs;

    private final Counter firstNs = new Counter();
    private final Counter lastNs = new Counter();

    LoadStamps(AtomicLong loadBeginNs) {
        this.loadBeginNs = loadBeginNs;
    }

    /** It happened now to a message. */
    void add(long sentNs, long nowNs) {
        long beginNs = loadBeginNs.get();
        if (sentNs >= beginNs && firstNs.get() < beginNs) {
            firstNs.set(nowNs);
        }
        lastNs.set(nowNs);
    }

    /** The first times of threads, without those before a time. */
    static <T> LongStream firsts(Collection<T> threads, Function<T, @Nullable LoadStamps> stampsOf, long fromNs) {
        return of(threads, stampsOf).mapToLong(stamps -> stamps.firstNs.get()).filter(ns -> ns >= fromNs);
    }

    /** The last times of threads, without those before a time. */
    static <T> LongStream lasts(Collection<T> threads, Function<T, @Nullable LoadStamps> stampsOf, long fromNs) {
        return of(threads, stampsOf).mapToLong(stamps -> stamps.lastNs.get()).filter(ns -> ns >= fromNs);
    }

    private static <T> Stream<LoadStamps> of(Collection<T> threads, Function<T, @Nullable LoadStamps> stampsOf) {
        return threads.stream().map(stampsOf).filter(Objects::nonNull).map(Objects::requireNonNull);
    }
}
