package io.openmessaging.benchmark.measure;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One shard of recorders for each thread that calls back, so that each has a single writer.
 *
 * <p>Which threads a client calls back on is its own affair, and there may be thousands of them. The first {@link
 * #EXCLUSIVE_SHARDS} get a shard of their own. Later ones share a few more shards, whose writers take the shard's
 * monitor: a little slower, but the memory stays bounded.
 *
 * @param <S> a shard; tells by {@link Shard#shared()} whether its writers have to take its monitor
 */
final class Shards<S extends Shards.Shard> {

    /** What a shard has to know of itself. */
    abstract static class Shard {

        private final boolean shared;

        Shard(boolean shared) {
            this.shared = shared;
        }

        /** Whether several threads write to this shard, each under its monitor. */
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
     * The thread that came first, often the only one, and its shard: a compare finds it in half the time of a thread
     * local. Neither is volatile: the thread that finds itself there has written both. They stand here and not in the
     * shard, whose neighbours in memory are written with every message: other threads look at them as often.
     */
    private @Nullable Thread firstThread;

    private @Nullable S first;

    Shards(Function<Boolean, S> factory) {
        this.factory = factory;
    }

    /** The calling thread's shard. */
    S mine() {
        S shard = first;
        return shard != null && firstThread == Thread.currentThread() ? shard : ofThread.get();
    }

    /** Every shard that was handed out. */
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
