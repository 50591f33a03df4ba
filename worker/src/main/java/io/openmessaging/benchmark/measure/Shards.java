package io.openmessaging.benchmark.measure;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One shard of recorders for each thread that calls back, so that each shard has a single writer.
 *
 * <p>Clients call back on any threads they choose, and there may be thousands of them. The first {@link
 * #EXCLUSIVE_SHARDS} threads get a shard of their own. Later threads share a few more shards, whose writers take the
 * shard's monitor: a little slower, but memory stays bounded.
 *
 * @param <S> a shard; {@link Shard#shared()} returns whether its writers must take its monitor
 */
final class Shards<S extends Shards.Shard> {

    /** The base class of shards. */
    abstract static class Shard {

        private final boolean shared;

        Shard(boolean shared) {
            this.shared = shared;
        }

        /** Returns whether several threads write to this shard, each under its monitor. */
        final boolean shared() {
            return shared;
        }
    }

    static final int EXCLUSIVE_SHARDS = 32;
    static final int SHARED_SHARDS = 8;

    private final Function<Boolean, S> factory;
    private final List<S> all = new CopyOnWriteArrayList<>();
    private final ThreadLocal<S> ofThread = ThreadLocal.withInitial(this::assign);
    private int threadCount;

    /**
     * The first thread, often the only one, and its shard: a comparison finds it in half the time of a thread-local.
     * Neither field is volatile: a thread that finds itself there has written both. They are stored here and not in
     * the shard, because all threads read them with each message, and the shard's neighbours in memory are written
     * with each message.
     */
    private @Nullable Thread firstThread;

    private @Nullable S first;

    Shards(Function<Boolean, S> factory) {
        this.factory = factory;
    }

    /** Returns the calling thread's shard. */
    S mine() {
        S shard = first;
        return shard != null && firstThread == Thread.currentThread() ? shard : ofThread.get();
    }

    /** Returns all assigned shards. */
    List<S> all() {
        return all;
    }

    private synchronized S assign() {
        int thread = threadCount++;
        if (thread < EXCLUSIVE_SHARDS + SHARED_SHARDS) {
            S shard = factory.apply(thread >= EXCLUSIVE_SHARDS);
            all.add(shard);
            if (thread == 0) {
                first = shard;
                firstThread = Thread.currentThread();
            }
            return shard;
        }
        return all.get(EXCLUSIVE_SHARDS + thread % SHARED_SHARDS);
    }
}
